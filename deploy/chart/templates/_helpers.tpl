{{- define "gthulhuc.labels" -}}
app.kubernetes.io/name: gthulhuc
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "gthulhuc.selector" -}}
app.kubernetes.io/name: gthulhuc
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gthulhuc.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}

{{/* A container without rights beside those of its user, who is given by number. */}}
{{- define "gthulhuc.unprivileged" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* Root, because the loader's socket is root's, and nothing else of root. */}}
{{- define "gthulhuc.plainRoot" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: false
runAsUser: 0
runAsGroup: 0
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* The broker of a pod, after its name. Both pods with one have its volumes by the same names. */}}
{{- define "gthulhuc.broker" -}}
{{- $values := .root.Values -}}
image: {{ include "gthulhuc.image" .root }}
imagePullPolicy: {{ $values.image.pullPolicy }}
args: [serve, broker, --user, {{ .user | quote }}, --compiler, {{ .compiler | quote }}, --folder, /run/gthulhu-broker, --state, {{ $values.node.stateDir }}]
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: false
  runAsUser: 0
  runAsGroup: 0
  capabilities:
    drop: [ALL]
    # It gives its socket to the user who may ask, and its compilers a user and folders of
    # their own, which it clears away.
    add: [CHOWN, SETUID, SETGID, KILL, DAC_OVERRIDE]
  seccompProfile:
    type: RuntimeDefault
readinessProbe:
  exec:
    command: [test, -S, /run/gthulhu-broker/control]
  periodSeconds: 10
resources:
  {{- toYaml $values.node.broker.resources | nindent 2 }}
volumeMounts:
  - {name: state, mountPath: {{ $values.node.stateDir }}}
  - {name: broker, mountPath: /run/gthulhu-broker}
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "gthulhuc.healthProbes" -}}
livenessProbe:
  httpGet: {path: /healthz, port: health}
  initialDelaySeconds: 10
  periodSeconds: 20
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: {path: /healthz, port: health}
  periodSeconds: 10
  timeoutSeconds: 5
{{- end }}

{{/* The account's token, for the containers that ask the API alone. */}}
{{- define "gthulhuc.account" -}}
- name: account
  projected:
    defaultMode: 0444
    sources:
      - serviceAccountToken: {path: token, expirationSeconds: 3607}
      - configMap:
          name: kube-root-ca.crt
          items: [{key: ca.crt, path: ca.crt}]
      - downwardAPI:
          items:
            - path: namespace
              fieldRef: {fieldPath: metadata.namespace}
{{- end }}

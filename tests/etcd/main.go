// SPDX-License-Identifier: Apache-2.0
// A single etcd for tests: main DATA CLIENT_URL PEER_URL
package main

import (
	"fmt"
	"net/url"
	"os"

	"go.etcd.io/etcd/server/v3/embed"
)

func address(text string) []url.URL {
	at, err := url.Parse(text)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return []url.URL{*at}
}

func main() {
	settings := embed.NewConfig()
	settings.Dir = os.Args[1]
	settings.ListenClientUrls, settings.AdvertiseClientUrls = address(os.Args[2]), address(os.Args[2])
	settings.ListenPeerUrls, settings.AdvertisePeerUrls = address(os.Args[3]), address(os.Args[3])
	settings.InitialCluster = settings.InitialClusterFromName(settings.Name)
	settings.LogLevel = "error"
	settings.UnsafeNoFsync = true
	server, err := embed.StartEtcd(settings)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, <-server.Err())
	os.Exit(1)
}

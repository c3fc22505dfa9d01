# Generated from Gpl.g4 by gthulhuc.syntax.derive
"""Parses policies; see `gthulhuc.syntax.derive`."""

from gthulhuc.syntax.tree import Node


class Fail(Exception):
    def __init__(self, parser, expected):
        self.at = parser.at
        self.expected = expected
        self.stack = tuple(parser.stack)
        parser.note(self)


WORD = 59
TOKENS = '(?P<CLOCK>(?:(?:(?:[0-9]))+:(?:(?:[0-9]))+))|(?P<NUMBER>(?:(?:[0-9])(?:(?:[0-9A-Za-z_\\u00B5\\u03BC]))*+(?:\\.(?:[0-9])(?:(?:[0-9A-Za-z_\\u00B5\\u03BC]))*+)*+(?:%)?))|(?P<WORD>(?:[A-Za-z_](?:[A-Za-z0-9_-])*+))|(?P<STRING>(?:"(?:\\\\[^\\r\\n]|[^"\\\\\\r\\n])*+"))|(?P<RAW>(?:\'(?:[^\'\\r\\n])*+\'))|(?P<EQ>==)|(?P<NE>!=)|(?P<LE><=)|(?P<GE>>=)|(?P<REGEX>=\\~)|(?P<DOTS>\\.\\.)|(?P<ARROW>\\->)|(?P<LT><)|(?P<GT>>)|(?P<GLOB>\\~)|(?P<ASSIGN>=)|(?P<COMMA>,)|(?P<MINUS>\\-)|(?P<LPAREN>\\()|(?P<RPAREN>\\))|(?P<LBRACKET>\\[)|(?P<RBRACKET>\\])|(?P<LBRACE>\\{)|(?P<RBRACE>\\})|(?:(?:[ \\t\\r\\n])+)|(?:\\#(?:[^\\r\\n])*+)'
FOREIGN = '(?P<C_AND>(?:\\&\\&))|(?P<C_OR>(?:\\|\\|))|(?P<C_NOT_GLOB>(?:!\\~))|(?P<C_NOT>(?:!))|(?P<C_COMMENT>(?://(?:[^\\r\\n])*+|/\\*(?:(?s:.))*?\\*/))|(?P<OPEN_STRING>(?:"(?:\\\\[^\\r\\n]|[^"\\\\\\r\\n])*+(?:\\\\)?))|(?P<OPEN_RAW>(?:\'(?:[^\'\\r\\n])*+))|(?P<ODD>(?:(?s:.)))'
KINDS = (0, 57, 58, 59, 60, 61, 38, 39, 40, 41, 44, 47, 48, 42, 43, 45, 46, 49, 50, 51, 52, 53, 54, 55, 56, 64, 65, 67, 66, 68, 69, 70, 71)
KEYWORDS = {'policy': 1, 'include': 2, 'tunable': 3, 'set': 4, 'rule': 5, 'default': 6, 'expect': 7, 'promise': 8, 'test': 9, 'when': 10, 'match': 11, 'priority': 12, 'weight': 13, 'slice': 14, 'cpus': 15, 'migrate': 16, 'preempt': 17, 'max-wait': 18, 'perf': 19, 'share': 20, 'inherit': 21, 'monitor': 22, 'after': 23, 'budget': 24, 'per': 25, 'within': 26, 'via': 27, 'under': 28, 'as': 29, 'of': 30, 'over': 31, 'else': 32, 'for': 33, 'in': 34, 'and': 35, 'or': 36, 'not': 37}


RULES = ('policyFile', 'item', 'policyBlock', 'policySetting', 'includeItem', 'tunableItem', 'setItem', 'ruleBlock', 'defaultBlock', 'statement', 'matchStatement', 'priorityStatement', 'weightStatement', 'sliceStatement', 'cpusStatement', 'migrateStatement', 'preemptStatement', 'maxWaitStatement', 'perfStatement', 'shareStatement', 'inheritStatement', 'monitorStatement', 'cpuTerm', 'expression', 'unary', 'primary', 'comparison', 'index', 'comparator', 'operand', 'listLiteral', 'element', 'text', 'scalar', 'expectBlock', 'asRule', 'load', 'claim', 'promiseBlock', 'otherwise', 'testBlock', 'testLine', 'fact', 'factValue', 'whenBlock', 'condition', 'conditionUnary', 'conditionPrimary', 'state', 'stateValue', 'anyName')
ITEMS = {1: 'policyBlock', 2: 'includeItem', 3: 'tunableItem', 4: 'setItem', 5: 'ruleBlock', 6: 'defaultBlock', 7: 'expectBlock', 8: 'promiseBlock', 9: 'testBlock', 10: 'whenBlock'}
BODIES = {'policyBlock': ('policySetting',), 'ruleBlock': ('statement',), 'defaultBlock': ('statement',), 'expectBlock': ('claim',), 'promiseBlock': ('claim', 'otherwise'), 'testBlock': ('testLine',), 'whenBlock': ('ruleBlock',)}
FIRST = {'policySetting': (59,), 'statement': {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}, 'claim': (20, 59,), 'otherwise': (32,), 'testLine': (37, 59,), 'ruleBlock': (5,)}


class Parser:
    stack = ()
    farthest = None

    def note(self, fail):
        if self.farthest is None or fail.at > self.farthest.at:
            self.farthest = fail
        elif fail.at == self.farthest.at:
            self.farthest.expected |= fail.expected

    def __init__(self, tokens):
        self.tokens = tokens
        self.at = 0
        self.kind = tokens[0].kind

    def policyFile(self):
        children = []
        start = self.tokens[self.at].start
        while self.kind in {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}:
            at, count = self.at, len(children)
            try:
                children.append(self.item())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        if self.kind != -1:
            raise Fail(self, {-1} | {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
        return Node('policyFile', children, start, self.tokens[self.at - 1].end)

    def item(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind in (1,):
            children.append(self.policyBlock())
        elif self.kind in (2,):
            children.append(self.includeItem())
        elif self.kind in (3,):
            children.append(self.tunableItem())
        elif self.kind in (4,):
            children.append(self.setItem())
        elif self.kind in (5,):
            children.append(self.ruleBlock())
        elif self.kind in (6,):
            children.append(self.defaultBlock())
        elif self.kind in (7,):
            children.append(self.expectBlock())
        elif self.kind in (8,):
            children.append(self.promiseBlock())
        elif self.kind in (9,):
            children.append(self.testBlock())
        elif self.kind in (10,):
            children.append(self.whenBlock())
        else:
            raise Fail(self, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
        return Node('item', children, start, self.tokens[self.at - 1].end)

    def policyBlock(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 1:
            raise Fail(self, {1})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        at_0 = self.at
        if self.kind in (55,):
            if self.kind != 55:
                raise Fail(self, {55})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            while self.kind in (59,):
                at, count = self.at, len(children)
                try:
                    children.append(self.policySetting())
                except Fail:
                    self.at, self.kind = at, self.tokens[at].kind
                    del children[count:]
                    break
            if self.kind != 56:
                raise Fail(self, {56} | {59})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        return Node('policyBlock', children, start, self.tokens[self.at - 1].end)

    def policySetting(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 59:
            raise Fail(self, {59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        at_1 = self.at
        if self.kind in {28, 34, 38, 39, 40, 41, 42, 43, 44, 45, 46}:
            children.append(self.comparator())
        if self.kind in {50, 58, 59}:
            children.append(self.scalar())
        elif self.kind in (13,):
            if self.kind != 13:
                raise Fail(self, {13})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        else:
            raise Fail(self, {13, 50, 58, 59} | (set() if self.at > at_1 else {28, 34, 38, 39, 40, 41, 42, 43, 44, 45, 46}))
        return Node('policySetting', children, start, self.tokens[self.at - 1].end)

    def includeItem(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 2:
            raise Fail(self, {2})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 60:
            raise Fail(self, {60})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('includeItem', children, start, self.tokens[self.at - 1].end)

    def tunableItem(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 3:
            raise Fail(self, {3})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 59:
            raise Fail(self, {59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 46:
            raise Fail(self, {46})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.scalar())
        if self.kind != 34:
            raise Fail(self, {34})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.scalar())
        if self.kind != 47:
            raise Fail(self, {47})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.scalar())
        return Node('tunableItem', children, start, self.tokens[self.at - 1].end)

    def setItem(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 4:
            raise Fail(self, {4})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 59:
            raise Fail(self, {59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 46:
            raise Fail(self, {46})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind in (53,):
            children.append(self.listLiteral())
        elif self.kind in {37, 51, 59}:
            children.append(self.expression())
        else:
            raise Fail(self, {37, 51, 53, 59})
        return Node('setItem', children, start, self.tokens[self.at - 1].end)

    def ruleBlock(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 5:
            raise Fail(self, {5})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        if self.kind != 55:
            raise Fail(self, {55})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        while self.kind in {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}:
            at, count = self.at, len(children)
            try:
                children.append(self.statement())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        if self.kind != 56:
            raise Fail(self, {56} | {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('ruleBlock', children, start, self.tokens[self.at - 1].end)

    def defaultBlock(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 6:
            raise Fail(self, {6})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 55:
            raise Fail(self, {55})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        while self.kind in {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}:
            at, count = self.at, len(children)
            try:
                children.append(self.statement())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        if self.kind != 56:
            raise Fail(self, {56} | {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('defaultBlock', children, start, self.tokens[self.at - 1].end)

    def statement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind in (11,):
            children.append(self.matchStatement())
        elif self.kind in (12,):
            children.append(self.priorityStatement())
        elif self.kind in (13,):
            children.append(self.weightStatement())
        elif self.kind in (14,):
            children.append(self.sliceStatement())
        elif self.kind in (15,):
            children.append(self.cpusStatement())
        elif self.kind in (16,):
            children.append(self.migrateStatement())
        elif self.kind in (17,):
            children.append(self.preemptStatement())
        elif self.kind in (18,):
            children.append(self.maxWaitStatement())
        elif self.kind in (19,):
            children.append(self.perfStatement())
        elif self.kind in (20,):
            children.append(self.shareStatement())
        elif self.kind in (21,):
            children.append(self.inheritStatement())
        elif self.kind in (22,):
            children.append(self.monitorStatement())
        else:
            raise Fail(self, {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
        return Node('statement', children, start, self.tokens[self.at - 1].end)

    def matchStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 11:
            raise Fail(self, {11})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.expression())
        return Node('matchStatement', children, start, self.tokens[self.at - 1].end)

    def priorityStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 12:
            raise Fail(self, {12})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 59:
            raise Fail(self, {59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('priorityStatement', children, start, self.tokens[self.at - 1].end)

    def weightStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 13:
            raise Fail(self, {13})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.scalar())
        return Node('weightStatement', children, start, self.tokens[self.at - 1].end)

    def sliceStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 14:
            raise Fail(self, {14})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.scalar())
        at_2 = self.at
        if self.kind in (47,):
            if self.kind != 47:
                raise Fail(self, {47})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.scalar())
        return Node('sliceStatement', children, start, self.tokens[self.at - 1].end)

    def cpusStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 15:
            raise Fail(self, {15})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.cpuTerm())
        while self.kind in (49,):
            at, count = self.at, len(children)
            try:
                if self.kind != 49:
                    raise Fail(self, {49})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
                children.append(self.cpuTerm())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        at_3 = self.at
        if self.kind in (59,):
            if self.kind != 59:
                raise Fail(self, {59})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            at_4 = self.at
            if self.kind in (59,):
                if self.kind != 59:
                    raise Fail(self, {59})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
        return Node('cpusStatement', children, start, self.tokens[self.at - 1].end)

    def migrateStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 16:
            raise Fail(self, {16})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 59:
            raise Fail(self, {59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        at_5 = self.at
        if self.kind in (59,):
            if self.kind != 59:
                raise Fail(self, {59})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        return Node('migrateStatement', children, start, self.tokens[self.at - 1].end)

    def preemptStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 17:
            raise Fail(self, {17})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        at_6 = self.at
        if self.kind in (59,):
            if self.kind != 59:
                raise Fail(self, {59})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        at_7 = self.at
        if self.kind in (23,):
            if self.kind != 23:
                raise Fail(self, {23})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.scalar())
        at_8 = self.at
        if self.kind in (24,):
            if self.kind != 24:
                raise Fail(self, {24})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.scalar())
            if self.kind != 25:
                raise Fail(self, {25})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.scalar())
        return Node('preemptStatement', children, start, self.tokens[self.at - 1].end)

    def maxWaitStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 18:
            raise Fail(self, {18})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.scalar())
        return Node('maxWaitStatement', children, start, self.tokens[self.at - 1].end)

    def perfStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 19:
            raise Fail(self, {19})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.scalar())
        return Node('perfStatement', children, start, self.tokens[self.at - 1].end)

    def shareStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 20:
            raise Fail(self, {20})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind in {50, 58, 59}:
            children.append(self.scalar())
            at_9 = self.at
            if self.kind in (47,):
                if self.kind != 47:
                    raise Fail(self, {47})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
                children.append(self.scalar())
        elif self.kind in (47,):
            if self.kind != 47:
                raise Fail(self, {47})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.scalar())
        else:
            raise Fail(self, {47, 50, 58, 59})
        return Node('shareStatement', children, start, self.tokens[self.at - 1].end)

    def inheritStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 21:
            raise Fail(self, {21})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('inheritStatement', children, start, self.tokens[self.at - 1].end)

    def monitorStatement(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 22:
            raise Fail(self, {22})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('monitorStatement', children, start, self.tokens[self.at - 1].end)

    def cpuTerm(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind in (58,):
            if self.kind != 58:
                raise Fail(self, {58})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            at_10 = self.at
            if self.kind in (30, 50,):
                if self.kind in (50,):
                    if self.kind != 50:
                        raise Fail(self, {50})
                    children.append(self.tokens[self.at])
                    self.at += 1
                    self.kind = self.tokens[self.at].kind
                    if self.kind != 58:
                        raise Fail(self, {58})
                    children.append(self.tokens[self.at])
                    self.at += 1
                    self.kind = self.tokens[self.at].kind
                elif self.kind in (30,):
                    if self.kind != 30:
                        raise Fail(self, {30})
                    children.append(self.tokens[self.at])
                    self.at += 1
                    self.kind = self.tokens[self.at].kind
                    if self.kind != 59:
                        raise Fail(self, {59})
                    children.append(self.tokens[self.at])
                    self.at += 1
                    self.kind = self.tokens[self.at].kind
                else:
                    raise Fail(self, {30, 50})
        elif self.kind in (37, 59,):
            at_11 = self.at
            if self.kind in (37,):
                if self.kind != 37:
                    raise Fail(self, {37})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
            if self.kind != 59:
                raise Fail(self, {59} | (set() if self.at > at_11 else {37}))
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            at_12 = self.at
            if self.kind in (58, 60,):
                if self.kind not in (58, 60,):
                    raise Fail(self, {58, 60})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
        else:
            raise Fail(self, {37, 58, 59})
        return Node('cpuTerm', children, start, self.tokens[self.at - 1].end)

    def expression(self):
        children = []
        start = self.tokens[self.at].start
        children.append(self.unary())
        while self.kind in (35, 36,):
            at, count = self.at, len(children)
            try:
                if self.kind not in (35, 36,):
                    raise Fail(self, {35, 36})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
                children.append(self.unary())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        return Node('expression', children, start, self.tokens[self.at - 1].end)

    def unary(self):
        children = []
        start = self.tokens[self.at].start
        while self.kind in (37,):
            at, count = self.at, len(children)
            try:
                if self.kind != 37:
                    raise Fail(self, {37})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        children.append(self.primary())
        return Node('unary', children, start, self.tokens[self.at - 1].end)

    def primary(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind in (51,):
            if self.kind != 51:
                raise Fail(self, {51})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.expression())
            if self.kind != 52:
                raise Fail(self, {52})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        elif self.kind in (59,):
            children.append(self.comparison())
        else:
            raise Fail(self, {51, 59})
        return Node('primary', children, start, self.tokens[self.at - 1].end)

    def comparison(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 59:
            raise Fail(self, {59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        at_13 = self.at
        if self.kind in (53, 60,):
            if self.kind in (60,):
                if self.kind != 60:
                    raise Fail(self, {60})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
            elif self.kind in (53,):
                children.append(self.index())
            else:
                raise Fail(self, {53, 60})
        at_14 = self.at
        if self.kind in (26,):
            if self.kind != 26:
                raise Fail(self, {26})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.scalar())
            at_15 = self.at
            if self.kind in (27,):
                if self.kind != 27:
                    raise Fail(self, {27})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
                if self.kind != 59:
                    raise Fail(self, {59})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
        at_16 = self.at
        if self.kind in {28, 34, 38, 39, 40, 41, 42, 43, 44, 45, 46}:
            children.append(self.comparator())
            children.append(self.operand())
        return Node('comparison', children, start, self.tokens[self.at - 1].end)

    def index(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 53:
            raise Fail(self, {53})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 58:
            raise Fail(self, {58})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 54:
            raise Fail(self, {54})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('index', children, start, self.tokens[self.at - 1].end)

    def comparator(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind not in {28, 34, 38, 39, 40, 41, 42, 43, 44, 45, 46}:
            raise Fail(self, {28, 34, 38, 39, 40, 41, 42, 43, 44, 45, 46})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('comparator', children, start, self.tokens[self.at - 1].end)

    def operand(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind in {50, 58, 59}:
            children.append(self.scalar())
            at_17 = self.at
            if self.kind in (47,):
                if self.kind != 47:
                    raise Fail(self, {47})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
                children.append(self.scalar())
        elif self.kind in (60, 61,):
            children.append(self.text())
        elif self.kind in (53,):
            children.append(self.listLiteral())
        else:
            raise Fail(self, {50, 53, 58, 59, 60, 61})
        return Node('operand', children, start, self.tokens[self.at - 1].end)

    def listLiteral(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 53:
            raise Fail(self, {53})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        at_18 = self.at
        if self.kind in {50, 58, 59, 60, 61}:
            children.append(self.element())
            while self.kind in (49,):
                at, count = self.at, len(children)
                try:
                    if self.kind != 49:
                        raise Fail(self, {49})
                    children.append(self.tokens[self.at])
                    self.at += 1
                    self.kind = self.tokens[self.at].kind
                    children.append(self.element())
                except Fail:
                    self.at, self.kind = at, self.tokens[at].kind
                    del children[count:]
                    break
            at_19 = self.at
            if self.kind in (49,):
                if self.kind != 49:
                    raise Fail(self, {49})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
        if self.kind != 54:
            raise Fail(self, {54} | ({49} | (set() if self.at > at_19 else {49}) if self.at > at_18 else {50, 58, 59, 60, 61}))
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('listLiteral', children, start, self.tokens[self.at - 1].end)

    def element(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind in (60, 61,):
            children.append(self.text())
        elif self.kind in {50, 58, 59}:
            children.append(self.scalar())
        else:
            raise Fail(self, {50, 58, 59, 60, 61})
        return Node('element', children, start, self.tokens[self.at - 1].end)

    def text(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind not in (60, 61,):
            raise Fail(self, {60, 61})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('text', children, start, self.tokens[self.at - 1].end)

    def scalar(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind in (50, 58,):
            at_20 = self.at
            if self.kind in (50,):
                if self.kind != 50:
                    raise Fail(self, {50})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
            if self.kind != 58:
                raise Fail(self, {58} | (set() if self.at > at_20 else {50}))
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        elif self.kind in (59,):
            if self.kind != 59:
                raise Fail(self, {59})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        else:
            raise Fail(self, {50, 58, 59})
        return Node('scalar', children, start, self.tokens[self.at - 1].end)

    def expectBlock(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 7:
            raise Fail(self, {7})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        at_21 = self.at
        if self.kind in (29,):
            children.append(self.asRule())
        at_22 = self.at
        if self.kind in (28,):
            if self.kind != 28:
                raise Fail(self, {28})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.load())
            while self.kind in (49,):
                at, count = self.at, len(children)
                try:
                    if self.kind != 49:
                        raise Fail(self, {49})
                    children.append(self.tokens[self.at])
                    self.at += 1
                    self.kind = self.tokens[self.at].kind
                    children.append(self.load())
                except Fail:
                    self.at, self.kind = at, self.tokens[at].kind
                    del children[count:]
                    break
        if self.kind != 55:
            raise Fail(self, {55} | (set() if self.at > at_21 else {29}) | ({49} if self.at > at_22 else {28}))
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        while self.kind in (20, 59,):
            at, count = self.at, len(children)
            try:
                children.append(self.claim())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        if self.kind != 56:
            raise Fail(self, {56} | {20, 59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('expectBlock', children, start, self.tokens[self.at - 1].end)

    def asRule(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 29:
            raise Fail(self, {29})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        return Node('asRule', children, start, self.tokens[self.at - 1].end)

    def load(self):
        children = []
        start = self.tokens[self.at].start
        children.append(self.anyName())
        if self.kind != 58:
            raise Fail(self, {58})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        at_23 = self.at
        if self.kind in (29,):
            children.append(self.asRule())
        return Node('load', children, start, self.tokens[self.at - 1].end)

    def claim(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind not in (20, 59,):
            raise Fail(self, {20, 59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 51:
            raise Fail(self, {51})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        at_24 = self.at
        if self.kind in {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 59}:
            children.append(self.anyName())
        if self.kind != 52:
            raise Fail(self, {52} | (set() if self.at > at_24 else {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 59}))
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.comparator())
        children.append(self.scalar())
        at_25 = self.at
        if self.kind in (30,):
            if self.kind != 30:
                raise Fail(self, {30})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            if self.kind not in (59, 60,):
                raise Fail(self, {59, 60})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        return Node('claim', children, start, self.tokens[self.at - 1].end)

    def promiseBlock(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 8:
            raise Fail(self, {8})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        if self.kind != 31:
            raise Fail(self, {31})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.scalar())
        if self.kind != 55:
            raise Fail(self, {55})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        while self.kind in (20, 59,):
            at, count = self.at, len(children)
            try:
                children.append(self.claim())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        at_26 = self.at
        if self.kind in (32,):
            children.append(self.otherwise())
        if self.kind != 56:
            raise Fail(self, {56} | {20, 59} | (set() if self.at > at_26 else {32}))
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('promiseBlock', children, start, self.tokens[self.at - 1].end)

    def otherwise(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 32:
            raise Fail(self, {32})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 59:
            raise Fail(self, {59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('otherwise', children, start, self.tokens[self.at - 1].end)

    def testBlock(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 9:
            raise Fail(self, {9})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 60:
            raise Fail(self, {60})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 55:
            raise Fail(self, {55})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        while self.kind in (37, 59,):
            at, count = self.at, len(children)
            try:
                children.append(self.testLine())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        if self.kind != 56:
            raise Fail(self, {56} | {37, 59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('testBlock', children, start, self.tokens[self.at - 1].end)

    def testLine(self):
        children = []
        start = self.tokens[self.at].start
        children.append(self.fact())
        while self.kind in (37, 59,):
            at, count = self.at, len(children)
            try:
                children.append(self.fact())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        if self.kind != 48:
            raise Fail(self, {48} | {37, 59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        return Node('testLine', children, start, self.tokens[self.at - 1].end)

    def fact(self):
        children = []
        start = self.tokens[self.at].start
        at_27 = self.at
        if self.kind in (37,):
            if self.kind != 37:
                raise Fail(self, {37})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        if self.kind != 59:
            raise Fail(self, {59} | (set() if self.at > at_27 else {37}))
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        while self.kind in {50, 58, 60, 61}:
            at, count = self.at, len(children)
            try:
                children.append(self.factValue())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        at_28 = self.at
        if self.kind in (26,):
            if self.kind != 26:
                raise Fail(self, {26})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.scalar())
        at_29 = self.at
        if self.kind in (27,):
            if self.kind != 27:
                raise Fail(self, {27})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            if self.kind != 59:
                raise Fail(self, {59})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        return Node('fact', children, start, self.tokens[self.at - 1].end)

    def factValue(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind in (60, 61,):
            children.append(self.text())
        elif self.kind in (50, 58,):
            at_30 = self.at
            if self.kind in (50,):
                if self.kind != 50:
                    raise Fail(self, {50})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
            if self.kind != 58:
                raise Fail(self, {58} | (set() if self.at > at_30 else {50}))
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        else:
            raise Fail(self, {50, 58, 60, 61})
        return Node('factValue', children, start, self.tokens[self.at - 1].end)

    def whenBlock(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 10:
            raise Fail(self, {10})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.condition())
        if self.kind != 55:
            raise Fail(self, {55})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        while self.kind in (5,):
            at, count = self.at, len(children)
            try:
                children.append(self.ruleBlock())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        if self.kind != 56:
            raise Fail(self, {56} | {5})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('whenBlock', children, start, self.tokens[self.at - 1].end)

    def condition(self):
        children = []
        start = self.tokens[self.at].start
        children.append(self.conditionUnary())
        while self.kind in (35, 36,):
            at, count = self.at, len(children)
            try:
                if self.kind not in (35, 36,):
                    raise Fail(self, {35, 36})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
                children.append(self.conditionUnary())
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        return Node('condition', children, start, self.tokens[self.at - 1].end)

    def conditionUnary(self):
        children = []
        start = self.tokens[self.at].start
        while self.kind in (37,):
            at, count = self.at, len(children)
            try:
                if self.kind != 37:
                    raise Fail(self, {37})
                children.append(self.tokens[self.at])
                self.at += 1
                self.kind = self.tokens[self.at].kind
            except Fail:
                self.at, self.kind = at, self.tokens[at].kind
                del children[count:]
                break
        children.append(self.conditionPrimary())
        return Node('conditionUnary', children, start, self.tokens[self.at - 1].end)

    def conditionPrimary(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind in (51,):
            if self.kind != 51:
                raise Fail(self, {51})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.condition())
            if self.kind != 52:
                raise Fail(self, {52})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        elif self.kind in (59,):
            children.append(self.state())
        else:
            raise Fail(self, {51, 59})
        return Node('conditionPrimary', children, start, self.tokens[self.at - 1].end)

    def state(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind != 59:
            raise Fail(self, {59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        at_31 = self.at
        if self.kind in (59,):
            if self.kind != 59:
                raise Fail(self, {59})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        at_32 = self.at
        if self.kind in {28, 34, 38, 39, 40, 41, 42, 43, 44, 45, 46}:
            children.append(self.comparator())
            children.append(self.stateValue())
        at_33 = self.at
        if self.kind in (33,):
            if self.kind != 33:
                raise Fail(self, {33})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.scalar())
        return Node('state', children, start, self.tokens[self.at - 1].end)

    def stateValue(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind in (60, 61,):
            children.append(self.text())
        elif self.kind in {50, 58, 59}:
            children.append(self.scalar())
        elif self.kind in (57,):
            if self.kind != 57:
                raise Fail(self, {57})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            if self.kind != 47:
                raise Fail(self, {47})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            if self.kind != 57:
                raise Fail(self, {57})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
        else:
            raise Fail(self, {50, 57, 58, 59, 60, 61})
        return Node('stateValue', children, start, self.tokens[self.at - 1].end)

    def anyName(self):
        children = []
        start = self.tokens[self.at].start
        if self.kind not in {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 59}:
            raise Fail(self, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 59})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return Node('anyName', children, start, self.tokens[self.at - 1].end)

    def head_policyBlock(self):
        children = []
        if self.kind != 1:
            raise Fail(self, {1})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        return children

    def head_ruleBlock(self):
        children = []
        if self.kind != 5:
            raise Fail(self, {5})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        return children

    def head_defaultBlock(self):
        children = []
        if self.kind != 6:
            raise Fail(self, {6})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return children

    def head_expectBlock(self):
        children = []
        if self.kind != 7:
            raise Fail(self, {7})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        at_34 = self.at
        if self.kind in (29,):
            children.append(self.asRule())
        at_35 = self.at
        if self.kind in (28,):
            if self.kind != 28:
                raise Fail(self, {28})
            children.append(self.tokens[self.at])
            self.at += 1
            self.kind = self.tokens[self.at].kind
            children.append(self.load())
            while self.kind in (49,):
                at, count = self.at, len(children)
                try:
                    if self.kind != 49:
                        raise Fail(self, {49})
                    children.append(self.tokens[self.at])
                    self.at += 1
                    self.kind = self.tokens[self.at].kind
                    children.append(self.load())
                except Fail:
                    self.at, self.kind = at, self.tokens[at].kind
                    del children[count:]
                    break
        return children

    def head_promiseBlock(self):
        children = []
        if self.kind != 8:
            raise Fail(self, {8})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.anyName())
        if self.kind != 31:
            raise Fail(self, {31})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.scalar())
        return children

    def head_testBlock(self):
        children = []
        if self.kind != 9:
            raise Fail(self, {9})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        if self.kind != 60:
            raise Fail(self, {60})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        return children

    def head_whenBlock(self):
        children = []
        if self.kind != 10:
            raise Fail(self, {10})
        children.append(self.tokens[self.at])
        self.at += 1
        self.kind = self.tokens[self.at].kind
        children.append(self.condition())
        return children

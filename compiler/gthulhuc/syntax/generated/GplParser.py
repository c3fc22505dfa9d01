# Generated from Gpl.g4 by ANTLR 4.13.2
# encoding: utf-8
from antlr4 import *
from io import StringIO
import sys
if sys.version_info[1] > 5:
	from typing import TextIO
else:
	from typing.io import TextIO

def serializedATN():
    return [
        4,1,61,349,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,
        7,20,2,21,7,21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,
        2,27,7,27,2,28,7,28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,
        7,33,2,34,7,34,2,35,7,35,1,0,5,0,74,8,0,10,0,12,0,77,9,0,1,0,1,0,
        1,1,1,1,1,1,1,1,1,1,1,1,1,1,3,1,88,8,1,1,2,1,2,1,2,1,2,5,2,94,8,
        2,10,2,12,2,97,9,2,1,2,1,2,1,3,1,3,3,3,103,8,3,1,3,1,3,1,4,1,4,1,
        4,1,5,1,5,1,5,1,5,1,5,1,5,1,5,1,5,1,5,1,6,1,6,1,6,1,6,1,6,3,6,124,
        8,6,1,7,1,7,1,7,1,7,5,7,130,8,7,10,7,12,7,133,9,7,1,7,1,7,1,8,1,
        8,1,8,5,8,140,8,8,10,8,12,8,143,9,8,1,8,1,8,1,9,1,9,1,9,1,9,1,9,
        1,9,1,9,1,9,1,9,1,9,3,9,157,8,9,1,10,1,10,1,10,1,11,1,11,1,11,1,
        12,1,12,1,12,1,13,1,13,1,13,1,13,3,13,172,8,13,1,14,1,14,1,14,1,
        14,5,14,178,8,14,10,14,12,14,181,9,14,1,14,3,14,184,8,14,1,15,1,
        15,1,15,3,15,189,8,15,1,16,1,16,1,16,3,16,194,8,16,1,16,1,16,1,16,
        1,16,1,16,3,16,201,8,16,1,17,1,17,1,17,1,18,1,18,1,19,1,19,1,20,
        1,20,1,20,3,20,213,8,20,1,20,1,20,3,20,217,8,20,3,20,219,8,20,1,
        21,1,21,1,21,5,21,224,8,21,10,21,12,21,227,9,21,1,22,5,22,230,8,
        22,10,22,12,22,233,9,22,1,22,1,22,1,23,1,23,1,23,1,23,1,23,3,23,
        242,8,23,1,24,1,24,3,24,246,8,24,1,24,1,24,1,24,1,24,3,24,252,8,
        24,3,24,254,8,24,1,24,1,24,1,24,3,24,259,8,24,1,25,1,25,1,26,1,26,
        1,26,3,26,266,8,26,1,26,1,26,3,26,270,8,26,1,27,1,27,1,27,1,27,5,
        27,276,8,27,10,27,12,27,279,9,27,1,27,3,27,282,8,27,3,27,284,8,27,
        1,27,1,27,1,28,1,28,3,28,290,8,28,1,29,1,29,1,30,3,30,295,8,30,1,
        30,1,30,3,30,299,8,30,1,31,1,31,1,31,3,31,304,8,31,1,31,1,31,1,31,
        1,31,5,31,310,8,31,10,31,12,31,313,9,31,3,31,315,8,31,1,31,1,31,
        5,31,319,8,31,10,31,12,31,322,9,31,1,31,1,31,1,32,1,32,1,32,1,33,
        1,33,1,33,3,33,332,8,33,1,34,1,34,1,34,1,34,3,34,338,8,34,1,34,1,
        34,1,34,1,34,1,34,3,34,345,8,34,1,35,1,35,1,35,0,0,36,0,2,4,6,8,
        10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,
        54,56,58,60,62,64,66,68,70,0,5,1,0,27,28,3,0,23,23,26,26,30,38,1,
        0,50,51,1,0,49,50,2,0,1,29,49,49,365,0,75,1,0,0,0,2,87,1,0,0,0,4,
        89,1,0,0,0,6,100,1,0,0,0,8,106,1,0,0,0,10,109,1,0,0,0,12,118,1,0,
        0,0,14,125,1,0,0,0,16,136,1,0,0,0,18,156,1,0,0,0,20,158,1,0,0,0,
        22,161,1,0,0,0,24,164,1,0,0,0,26,167,1,0,0,0,28,173,1,0,0,0,30,185,
        1,0,0,0,32,190,1,0,0,0,34,202,1,0,0,0,36,205,1,0,0,0,38,207,1,0,
        0,0,40,218,1,0,0,0,42,220,1,0,0,0,44,231,1,0,0,0,46,241,1,0,0,0,
        48,243,1,0,0,0,50,260,1,0,0,0,52,269,1,0,0,0,54,271,1,0,0,0,56,289,
        1,0,0,0,58,291,1,0,0,0,60,298,1,0,0,0,62,300,1,0,0,0,64,325,1,0,
        0,0,66,328,1,0,0,0,68,333,1,0,0,0,70,346,1,0,0,0,72,74,3,2,1,0,73,
        72,1,0,0,0,74,77,1,0,0,0,75,73,1,0,0,0,75,76,1,0,0,0,76,78,1,0,0,
        0,77,75,1,0,0,0,78,79,5,0,0,1,79,1,1,0,0,0,80,88,3,4,2,0,81,88,3,
        8,4,0,82,88,3,10,5,0,83,88,3,12,6,0,84,88,3,14,7,0,85,88,3,16,8,
        0,86,88,3,62,31,0,87,80,1,0,0,0,87,81,1,0,0,0,87,82,1,0,0,0,87,83,
        1,0,0,0,87,84,1,0,0,0,87,85,1,0,0,0,87,86,1,0,0,0,88,3,1,0,0,0,89,
        90,5,1,0,0,90,91,3,70,35,0,91,95,5,46,0,0,92,94,3,6,3,0,93,92,1,
        0,0,0,94,97,1,0,0,0,95,93,1,0,0,0,95,96,1,0,0,0,96,98,1,0,0,0,97,
        95,1,0,0,0,98,99,5,47,0,0,99,5,1,0,0,0,100,102,5,49,0,0,101,103,
        3,50,25,0,102,101,1,0,0,0,102,103,1,0,0,0,103,104,1,0,0,0,104,105,
        3,60,30,0,105,7,1,0,0,0,106,107,5,2,0,0,107,108,5,50,0,0,108,9,1,
        0,0,0,109,110,5,3,0,0,110,111,5,49,0,0,111,112,5,38,0,0,112,113,
        3,60,30,0,113,114,5,26,0,0,114,115,3,60,30,0,115,116,5,39,0,0,116,
        117,3,60,30,0,117,11,1,0,0,0,118,119,5,4,0,0,119,120,5,49,0,0,120,
        123,5,38,0,0,121,124,3,54,27,0,122,124,3,42,21,0,123,121,1,0,0,0,
        123,122,1,0,0,0,124,13,1,0,0,0,125,126,5,5,0,0,126,127,3,70,35,0,
        127,131,5,46,0,0,128,130,3,18,9,0,129,128,1,0,0,0,130,133,1,0,0,
        0,131,129,1,0,0,0,131,132,1,0,0,0,132,134,1,0,0,0,133,131,1,0,0,
        0,134,135,5,47,0,0,135,15,1,0,0,0,136,137,5,6,0,0,137,141,5,46,0,
        0,138,140,3,18,9,0,139,138,1,0,0,0,140,143,1,0,0,0,141,139,1,0,0,
        0,141,142,1,0,0,0,142,144,1,0,0,0,143,141,1,0,0,0,144,145,5,47,0,
        0,145,17,1,0,0,0,146,157,3,20,10,0,147,157,3,22,11,0,148,157,3,24,
        12,0,149,157,3,26,13,0,150,157,3,28,14,0,151,157,3,30,15,0,152,157,
        3,32,16,0,153,157,3,34,17,0,154,157,3,36,18,0,155,157,3,38,19,0,
        156,146,1,0,0,0,156,147,1,0,0,0,156,148,1,0,0,0,156,149,1,0,0,0,
        156,150,1,0,0,0,156,151,1,0,0,0,156,152,1,0,0,0,156,153,1,0,0,0,
        156,154,1,0,0,0,156,155,1,0,0,0,157,19,1,0,0,0,158,159,5,8,0,0,159,
        160,3,42,21,0,160,21,1,0,0,0,161,162,5,9,0,0,162,163,5,49,0,0,163,
        23,1,0,0,0,164,165,5,10,0,0,165,166,3,60,30,0,166,25,1,0,0,0,167,
        168,5,11,0,0,168,171,3,60,30,0,169,170,5,39,0,0,170,172,3,60,30,
        0,171,169,1,0,0,0,171,172,1,0,0,0,172,27,1,0,0,0,173,174,5,12,0,
        0,174,179,3,40,20,0,175,176,5,40,0,0,176,178,3,40,20,0,177,175,1,
        0,0,0,178,181,1,0,0,0,179,177,1,0,0,0,179,180,1,0,0,0,180,183,1,
        0,0,0,181,179,1,0,0,0,182,184,5,49,0,0,183,182,1,0,0,0,183,184,1,
        0,0,0,184,29,1,0,0,0,185,186,5,13,0,0,186,188,5,49,0,0,187,189,5,
        49,0,0,188,187,1,0,0,0,188,189,1,0,0,0,189,31,1,0,0,0,190,193,5,
        14,0,0,191,192,5,18,0,0,192,194,3,60,30,0,193,191,1,0,0,0,193,194,
        1,0,0,0,194,200,1,0,0,0,195,196,5,19,0,0,196,197,3,60,30,0,197,198,
        5,20,0,0,198,199,3,60,30,0,199,201,1,0,0,0,200,195,1,0,0,0,200,201,
        1,0,0,0,201,33,1,0,0,0,202,203,5,15,0,0,203,204,3,60,30,0,204,35,
        1,0,0,0,205,206,5,16,0,0,206,37,1,0,0,0,207,208,5,17,0,0,208,39,
        1,0,0,0,209,212,5,48,0,0,210,211,5,41,0,0,211,213,5,48,0,0,212,210,
        1,0,0,0,212,213,1,0,0,0,213,219,1,0,0,0,214,216,5,49,0,0,215,217,
        5,48,0,0,216,215,1,0,0,0,216,217,1,0,0,0,217,219,1,0,0,0,218,209,
        1,0,0,0,218,214,1,0,0,0,219,41,1,0,0,0,220,225,3,44,22,0,221,222,
        7,0,0,0,222,224,3,44,22,0,223,221,1,0,0,0,224,227,1,0,0,0,225,223,
        1,0,0,0,225,226,1,0,0,0,226,43,1,0,0,0,227,225,1,0,0,0,228,230,5,
        29,0,0,229,228,1,0,0,0,230,233,1,0,0,0,231,229,1,0,0,0,231,232,1,
        0,0,0,232,234,1,0,0,0,233,231,1,0,0,0,234,235,3,46,23,0,235,45,1,
        0,0,0,236,237,5,42,0,0,237,238,3,42,21,0,238,239,5,43,0,0,239,242,
        1,0,0,0,240,242,3,48,24,0,241,236,1,0,0,0,241,240,1,0,0,0,242,47,
        1,0,0,0,243,245,5,49,0,0,244,246,5,50,0,0,245,244,1,0,0,0,245,246,
        1,0,0,0,246,253,1,0,0,0,247,248,5,21,0,0,248,251,3,60,30,0,249,250,
        5,22,0,0,250,252,5,49,0,0,251,249,1,0,0,0,251,252,1,0,0,0,252,254,
        1,0,0,0,253,247,1,0,0,0,253,254,1,0,0,0,254,258,1,0,0,0,255,256,
        3,50,25,0,256,257,3,52,26,0,257,259,1,0,0,0,258,255,1,0,0,0,258,
        259,1,0,0,0,259,49,1,0,0,0,260,261,7,1,0,0,261,51,1,0,0,0,262,265,
        3,60,30,0,263,264,5,39,0,0,264,266,3,60,30,0,265,263,1,0,0,0,265,
        266,1,0,0,0,266,270,1,0,0,0,267,270,3,58,29,0,268,270,3,54,27,0,
        269,262,1,0,0,0,269,267,1,0,0,0,269,268,1,0,0,0,270,53,1,0,0,0,271,
        283,5,44,0,0,272,277,3,56,28,0,273,274,5,40,0,0,274,276,3,56,28,
        0,275,273,1,0,0,0,276,279,1,0,0,0,277,275,1,0,0,0,277,278,1,0,0,
        0,278,281,1,0,0,0,279,277,1,0,0,0,280,282,5,40,0,0,281,280,1,0,0,
        0,281,282,1,0,0,0,282,284,1,0,0,0,283,272,1,0,0,0,283,284,1,0,0,
        0,284,285,1,0,0,0,285,286,5,45,0,0,286,55,1,0,0,0,287,290,3,58,29,
        0,288,290,3,60,30,0,289,287,1,0,0,0,289,288,1,0,0,0,290,57,1,0,0,
        0,291,292,7,2,0,0,292,59,1,0,0,0,293,295,5,41,0,0,294,293,1,0,0,
        0,294,295,1,0,0,0,295,296,1,0,0,0,296,299,5,48,0,0,297,299,5,49,
        0,0,298,294,1,0,0,0,298,297,1,0,0,0,299,61,1,0,0,0,300,301,5,7,0,
        0,301,303,3,70,35,0,302,304,3,64,32,0,303,302,1,0,0,0,303,304,1,
        0,0,0,304,314,1,0,0,0,305,306,5,23,0,0,306,311,3,66,33,0,307,308,
        5,40,0,0,308,310,3,66,33,0,309,307,1,0,0,0,310,313,1,0,0,0,311,309,
        1,0,0,0,311,312,1,0,0,0,312,315,1,0,0,0,313,311,1,0,0,0,314,305,
        1,0,0,0,314,315,1,0,0,0,315,316,1,0,0,0,316,320,5,46,0,0,317,319,
        3,68,34,0,318,317,1,0,0,0,319,322,1,0,0,0,320,318,1,0,0,0,320,321,
        1,0,0,0,321,323,1,0,0,0,322,320,1,0,0,0,323,324,5,47,0,0,324,63,
        1,0,0,0,325,326,5,24,0,0,326,327,3,70,35,0,327,65,1,0,0,0,328,329,
        3,70,35,0,329,331,5,48,0,0,330,332,3,64,32,0,331,330,1,0,0,0,331,
        332,1,0,0,0,332,67,1,0,0,0,333,334,5,49,0,0,334,335,5,42,0,0,335,
        337,3,70,35,0,336,338,3,70,35,0,337,336,1,0,0,0,337,338,1,0,0,0,
        338,339,1,0,0,0,339,340,5,43,0,0,340,341,3,50,25,0,341,344,3,60,
        30,0,342,343,5,25,0,0,343,345,7,3,0,0,344,342,1,0,0,0,344,345,1,
        0,0,0,345,69,1,0,0,0,346,347,7,4,0,0,347,71,1,0,0,0,39,75,87,95,
        102,123,131,141,156,171,179,183,188,193,200,212,216,218,225,231,
        241,245,251,253,258,265,269,277,281,283,289,294,298,303,311,314,
        320,331,337,344
    ]

class GplParser ( Parser ):

    grammarFileName = "Gpl.g4"

    atn = ATNDeserializer().deserialize(serializedATN())

    decisionsToDFA = [ DFA(ds, i) for i, ds in enumerate(atn.decisionToState) ]

    sharedContextCache = PredictionContextCache()

    literalNames = [ "<INVALID>", "'policy'", "'include'", "'tunable'", 
                     "'set'", "'rule'", "'default'", "'expect'", "'match'", 
                     "'priority'", "'weight'", "'slice'", "'cpus'", "'migrate'", 
                     "'preempt'", "'max-wait'", "'inherit'", "'monitor'", 
                     "'after'", "'budget'", "'per'", "'within'", "'via'", 
                     "'under'", "'as'", "'of'", "'in'", "'and'", "'or'", 
                     "'not'", "'=='", "'!='", "'<='", "'>='", "'<'", "'>'", 
                     "'=~'", "'~'", "'='", "'..'", "','", "'-'", "'('", 
                     "')'", "'['", "']'", "'{'", "'}'", "<INVALID>", "<INVALID>", 
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>", 
                     "'&&'", "'||'", "'!'", "'!~'" ]

    symbolicNames = [ "<INVALID>", "POLICY", "INCLUDE", "TUNABLE", "SET", 
                      "RULE", "DEFAULT", "EXPECT", "MATCH", "PRIORITY", 
                      "WEIGHT", "SLICE", "CPUS", "MIGRATE", "PREEMPT", "MAX_WAIT", 
                      "INHERIT", "MONITOR", "AFTER", "BUDGET", "PER", "WITHIN", 
                      "VIA", "UNDER", "AS", "OF", "IN", "AND", "OR", "NOT", 
                      "EQ", "NE", "LE", "GE", "LT", "GT", "REGEX", "GLOB", 
                      "ASSIGN", "DOTS", "COMMA", "MINUS", "LPAREN", "RPAREN", 
                      "LBRACKET", "RBRACKET", "LBRACE", "RBRACE", "NUMBER", 
                      "WORD", "STRING", "RAW", "COMMENT", "BLANK", "C_AND", 
                      "C_OR", "C_NOT", "C_NOT_GLOB", "C_COMMENT", "OPEN_STRING", 
                      "OPEN_RAW", "ODD" ]

    RULE_policyFile = 0
    RULE_item = 1
    RULE_policyBlock = 2
    RULE_policySetting = 3
    RULE_includeItem = 4
    RULE_tunableItem = 5
    RULE_setItem = 6
    RULE_ruleBlock = 7
    RULE_defaultBlock = 8
    RULE_statement = 9
    RULE_matchStatement = 10
    RULE_priorityStatement = 11
    RULE_weightStatement = 12
    RULE_sliceStatement = 13
    RULE_cpusStatement = 14
    RULE_migrateStatement = 15
    RULE_preemptStatement = 16
    RULE_maxWaitStatement = 17
    RULE_inheritStatement = 18
    RULE_monitorStatement = 19
    RULE_cpuTerm = 20
    RULE_expression = 21
    RULE_unary = 22
    RULE_primary = 23
    RULE_comparison = 24
    RULE_comparator = 25
    RULE_operand = 26
    RULE_listLiteral = 27
    RULE_element = 28
    RULE_text = 29
    RULE_scalar = 30
    RULE_expectBlock = 31
    RULE_asRule = 32
    RULE_load = 33
    RULE_claim = 34
    RULE_anyName = 35

    ruleNames =  [ "policyFile", "item", "policyBlock", "policySetting", 
                   "includeItem", "tunableItem", "setItem", "ruleBlock", 
                   "defaultBlock", "statement", "matchStatement", "priorityStatement", 
                   "weightStatement", "sliceStatement", "cpusStatement", 
                   "migrateStatement", "preemptStatement", "maxWaitStatement", 
                   "inheritStatement", "monitorStatement", "cpuTerm", "expression", 
                   "unary", "primary", "comparison", "comparator", "operand", 
                   "listLiteral", "element", "text", "scalar", "expectBlock", 
                   "asRule", "load", "claim", "anyName" ]

    EOF = Token.EOF
    POLICY=1
    INCLUDE=2
    TUNABLE=3
    SET=4
    RULE=5
    DEFAULT=6
    EXPECT=7
    MATCH=8
    PRIORITY=9
    WEIGHT=10
    SLICE=11
    CPUS=12
    MIGRATE=13
    PREEMPT=14
    MAX_WAIT=15
    INHERIT=16
    MONITOR=17
    AFTER=18
    BUDGET=19
    PER=20
    WITHIN=21
    VIA=22
    UNDER=23
    AS=24
    OF=25
    IN=26
    AND=27
    OR=28
    NOT=29
    EQ=30
    NE=31
    LE=32
    GE=33
    LT=34
    GT=35
    REGEX=36
    GLOB=37
    ASSIGN=38
    DOTS=39
    COMMA=40
    MINUS=41
    LPAREN=42
    RPAREN=43
    LBRACKET=44
    RBRACKET=45
    LBRACE=46
    RBRACE=47
    NUMBER=48
    WORD=49
    STRING=50
    RAW=51
    COMMENT=52
    BLANK=53
    C_AND=54
    C_OR=55
    C_NOT=56
    C_NOT_GLOB=57
    C_COMMENT=58
    OPEN_STRING=59
    OPEN_RAW=60
    ODD=61

    def __init__(self, input:TokenStream, output:TextIO = sys.stdout):
        super().__init__(input, output)
        self.checkVersion("4.13.2")
        self._interp = ParserATNSimulator(self, self.atn, self.decisionsToDFA, self.sharedContextCache)
        self._predicates = None




    class PolicyFileContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def EOF(self):
            return self.getToken(GplParser.EOF, 0)

        def item(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.ItemContext)
            else:
                return self.getTypedRuleContext(GplParser.ItemContext,i)


        def getRuleIndex(self):
            return GplParser.RULE_policyFile




    def policyFile(self):

        localctx = GplParser.PolicyFileContext(self, self._ctx, self.state)
        self.enterRule(localctx, 0, self.RULE_policyFile)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 75
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 254) != 0):
                self.state = 72
                self.item()
                self.state = 77
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 78
            self.match(GplParser.EOF)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ItemContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def policyBlock(self):
            return self.getTypedRuleContext(GplParser.PolicyBlockContext,0)


        def includeItem(self):
            return self.getTypedRuleContext(GplParser.IncludeItemContext,0)


        def tunableItem(self):
            return self.getTypedRuleContext(GplParser.TunableItemContext,0)


        def setItem(self):
            return self.getTypedRuleContext(GplParser.SetItemContext,0)


        def ruleBlock(self):
            return self.getTypedRuleContext(GplParser.RuleBlockContext,0)


        def defaultBlock(self):
            return self.getTypedRuleContext(GplParser.DefaultBlockContext,0)


        def expectBlock(self):
            return self.getTypedRuleContext(GplParser.ExpectBlockContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_item




    def item(self):

        localctx = GplParser.ItemContext(self, self._ctx, self.state)
        self.enterRule(localctx, 2, self.RULE_item)
        try:
            self.state = 87
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [1]:
                self.enterOuterAlt(localctx, 1)
                self.state = 80
                self.policyBlock()
                pass
            elif token in [2]:
                self.enterOuterAlt(localctx, 2)
                self.state = 81
                self.includeItem()
                pass
            elif token in [3]:
                self.enterOuterAlt(localctx, 3)
                self.state = 82
                self.tunableItem()
                pass
            elif token in [4]:
                self.enterOuterAlt(localctx, 4)
                self.state = 83
                self.setItem()
                pass
            elif token in [5]:
                self.enterOuterAlt(localctx, 5)
                self.state = 84
                self.ruleBlock()
                pass
            elif token in [6]:
                self.enterOuterAlt(localctx, 6)
                self.state = 85
                self.defaultBlock()
                pass
            elif token in [7]:
                self.enterOuterAlt(localctx, 7)
                self.state = 86
                self.expectBlock()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class PolicyBlockContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def POLICY(self):
            return self.getToken(GplParser.POLICY, 0)

        def anyName(self):
            return self.getTypedRuleContext(GplParser.AnyNameContext,0)


        def LBRACE(self):
            return self.getToken(GplParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(GplParser.RBRACE, 0)

        def policySetting(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.PolicySettingContext)
            else:
                return self.getTypedRuleContext(GplParser.PolicySettingContext,i)


        def getRuleIndex(self):
            return GplParser.RULE_policyBlock




    def policyBlock(self):

        localctx = GplParser.PolicyBlockContext(self, self._ctx, self.state)
        self.enterRule(localctx, 4, self.RULE_policyBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 89
            self.match(GplParser.POLICY)
            self.state = 90
            self.anyName()
            self.state = 91
            self.match(GplParser.LBRACE)
            self.state = 95
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==49:
                self.state = 92
                self.policySetting()
                self.state = 97
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 98
            self.match(GplParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class PolicySettingContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def comparator(self):
            return self.getTypedRuleContext(GplParser.ComparatorContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_policySetting




    def policySetting(self):

        localctx = GplParser.PolicySettingContext(self, self._ctx, self.state)
        self.enterRule(localctx, 6, self.RULE_policySetting)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 100
            self.match(GplParser.WORD)
            self.state = 102
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 548757569536) != 0):
                self.state = 101
                self.comparator()


            self.state = 104
            self.scalar()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class IncludeItemContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def INCLUDE(self):
            return self.getToken(GplParser.INCLUDE, 0)

        def STRING(self):
            return self.getToken(GplParser.STRING, 0)

        def getRuleIndex(self):
            return GplParser.RULE_includeItem




    def includeItem(self):

        localctx = GplParser.IncludeItemContext(self, self._ctx, self.state)
        self.enterRule(localctx, 8, self.RULE_includeItem)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 106
            self.match(GplParser.INCLUDE)
            self.state = 107
            self.match(GplParser.STRING)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TunableItemContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def TUNABLE(self):
            return self.getToken(GplParser.TUNABLE, 0)

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

        def ASSIGN(self):
            return self.getToken(GplParser.ASSIGN, 0)

        def scalar(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.ScalarContext)
            else:
                return self.getTypedRuleContext(GplParser.ScalarContext,i)


        def IN(self):
            return self.getToken(GplParser.IN, 0)

        def DOTS(self):
            return self.getToken(GplParser.DOTS, 0)

        def getRuleIndex(self):
            return GplParser.RULE_tunableItem




    def tunableItem(self):

        localctx = GplParser.TunableItemContext(self, self._ctx, self.state)
        self.enterRule(localctx, 10, self.RULE_tunableItem)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 109
            self.match(GplParser.TUNABLE)
            self.state = 110
            self.match(GplParser.WORD)
            self.state = 111
            self.match(GplParser.ASSIGN)
            self.state = 112
            self.scalar()
            self.state = 113
            self.match(GplParser.IN)
            self.state = 114
            self.scalar()
            self.state = 115
            self.match(GplParser.DOTS)
            self.state = 116
            self.scalar()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class SetItemContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def SET(self):
            return self.getToken(GplParser.SET, 0)

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

        def ASSIGN(self):
            return self.getToken(GplParser.ASSIGN, 0)

        def listLiteral(self):
            return self.getTypedRuleContext(GplParser.ListLiteralContext,0)


        def expression(self):
            return self.getTypedRuleContext(GplParser.ExpressionContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_setItem




    def setItem(self):

        localctx = GplParser.SetItemContext(self, self._ctx, self.state)
        self.enterRule(localctx, 12, self.RULE_setItem)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 118
            self.match(GplParser.SET)
            self.state = 119
            self.match(GplParser.WORD)
            self.state = 120
            self.match(GplParser.ASSIGN)
            self.state = 123
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [44]:
                self.state = 121
                self.listLiteral()
                pass
            elif token in [29, 42, 49]:
                self.state = 122
                self.expression()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class RuleBlockContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def RULE(self):
            return self.getToken(GplParser.RULE, 0)

        def anyName(self):
            return self.getTypedRuleContext(GplParser.AnyNameContext,0)


        def LBRACE(self):
            return self.getToken(GplParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(GplParser.RBRACE, 0)

        def statement(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.StatementContext)
            else:
                return self.getTypedRuleContext(GplParser.StatementContext,i)


        def getRuleIndex(self):
            return GplParser.RULE_ruleBlock




    def ruleBlock(self):

        localctx = GplParser.RuleBlockContext(self, self._ctx, self.state)
        self.enterRule(localctx, 14, self.RULE_ruleBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 125
            self.match(GplParser.RULE)
            self.state = 126
            self.anyName()
            self.state = 127
            self.match(GplParser.LBRACE)
            self.state = 131
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 261888) != 0):
                self.state = 128
                self.statement()
                self.state = 133
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 134
            self.match(GplParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class DefaultBlockContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def DEFAULT(self):
            return self.getToken(GplParser.DEFAULT, 0)

        def LBRACE(self):
            return self.getToken(GplParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(GplParser.RBRACE, 0)

        def statement(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.StatementContext)
            else:
                return self.getTypedRuleContext(GplParser.StatementContext,i)


        def getRuleIndex(self):
            return GplParser.RULE_defaultBlock




    def defaultBlock(self):

        localctx = GplParser.DefaultBlockContext(self, self._ctx, self.state)
        self.enterRule(localctx, 16, self.RULE_defaultBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 136
            self.match(GplParser.DEFAULT)
            self.state = 137
            self.match(GplParser.LBRACE)
            self.state = 141
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 261888) != 0):
                self.state = 138
                self.statement()
                self.state = 143
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 144
            self.match(GplParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class StatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def matchStatement(self):
            return self.getTypedRuleContext(GplParser.MatchStatementContext,0)


        def priorityStatement(self):
            return self.getTypedRuleContext(GplParser.PriorityStatementContext,0)


        def weightStatement(self):
            return self.getTypedRuleContext(GplParser.WeightStatementContext,0)


        def sliceStatement(self):
            return self.getTypedRuleContext(GplParser.SliceStatementContext,0)


        def cpusStatement(self):
            return self.getTypedRuleContext(GplParser.CpusStatementContext,0)


        def migrateStatement(self):
            return self.getTypedRuleContext(GplParser.MigrateStatementContext,0)


        def preemptStatement(self):
            return self.getTypedRuleContext(GplParser.PreemptStatementContext,0)


        def maxWaitStatement(self):
            return self.getTypedRuleContext(GplParser.MaxWaitStatementContext,0)


        def inheritStatement(self):
            return self.getTypedRuleContext(GplParser.InheritStatementContext,0)


        def monitorStatement(self):
            return self.getTypedRuleContext(GplParser.MonitorStatementContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_statement




    def statement(self):

        localctx = GplParser.StatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 18, self.RULE_statement)
        try:
            self.state = 156
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [8]:
                self.enterOuterAlt(localctx, 1)
                self.state = 146
                self.matchStatement()
                pass
            elif token in [9]:
                self.enterOuterAlt(localctx, 2)
                self.state = 147
                self.priorityStatement()
                pass
            elif token in [10]:
                self.enterOuterAlt(localctx, 3)
                self.state = 148
                self.weightStatement()
                pass
            elif token in [11]:
                self.enterOuterAlt(localctx, 4)
                self.state = 149
                self.sliceStatement()
                pass
            elif token in [12]:
                self.enterOuterAlt(localctx, 5)
                self.state = 150
                self.cpusStatement()
                pass
            elif token in [13]:
                self.enterOuterAlt(localctx, 6)
                self.state = 151
                self.migrateStatement()
                pass
            elif token in [14]:
                self.enterOuterAlt(localctx, 7)
                self.state = 152
                self.preemptStatement()
                pass
            elif token in [15]:
                self.enterOuterAlt(localctx, 8)
                self.state = 153
                self.maxWaitStatement()
                pass
            elif token in [16]:
                self.enterOuterAlt(localctx, 9)
                self.state = 154
                self.inheritStatement()
                pass
            elif token in [17]:
                self.enterOuterAlt(localctx, 10)
                self.state = 155
                self.monitorStatement()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class MatchStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def MATCH(self):
            return self.getToken(GplParser.MATCH, 0)

        def expression(self):
            return self.getTypedRuleContext(GplParser.ExpressionContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_matchStatement




    def matchStatement(self):

        localctx = GplParser.MatchStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 20, self.RULE_matchStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 158
            self.match(GplParser.MATCH)
            self.state = 159
            self.expression()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class PriorityStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def PRIORITY(self):
            return self.getToken(GplParser.PRIORITY, 0)

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

        def getRuleIndex(self):
            return GplParser.RULE_priorityStatement




    def priorityStatement(self):

        localctx = GplParser.PriorityStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 22, self.RULE_priorityStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 161
            self.match(GplParser.PRIORITY)
            self.state = 162
            self.match(GplParser.WORD)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class WeightStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def WEIGHT(self):
            return self.getToken(GplParser.WEIGHT, 0)

        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_weightStatement




    def weightStatement(self):

        localctx = GplParser.WeightStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 24, self.RULE_weightStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 164
            self.match(GplParser.WEIGHT)
            self.state = 165
            self.scalar()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class SliceStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def SLICE(self):
            return self.getToken(GplParser.SLICE, 0)

        def scalar(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.ScalarContext)
            else:
                return self.getTypedRuleContext(GplParser.ScalarContext,i)


        def DOTS(self):
            return self.getToken(GplParser.DOTS, 0)

        def getRuleIndex(self):
            return GplParser.RULE_sliceStatement




    def sliceStatement(self):

        localctx = GplParser.SliceStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 26, self.RULE_sliceStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 167
            self.match(GplParser.SLICE)
            self.state = 168
            self.scalar()
            self.state = 171
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==39:
                self.state = 169
                self.match(GplParser.DOTS)
                self.state = 170
                self.scalar()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class CpusStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def CPUS(self):
            return self.getToken(GplParser.CPUS, 0)

        def cpuTerm(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.CpuTermContext)
            else:
                return self.getTypedRuleContext(GplParser.CpuTermContext,i)


        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.COMMA)
            else:
                return self.getToken(GplParser.COMMA, i)

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

        def getRuleIndex(self):
            return GplParser.RULE_cpusStatement




    def cpusStatement(self):

        localctx = GplParser.CpusStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 28, self.RULE_cpusStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 173
            self.match(GplParser.CPUS)
            self.state = 174
            self.cpuTerm()
            self.state = 179
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==40:
                self.state = 175
                self.match(GplParser.COMMA)
                self.state = 176
                self.cpuTerm()
                self.state = 181
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 183
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==49:
                self.state = 182
                self.match(GplParser.WORD)


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class MigrateStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def MIGRATE(self):
            return self.getToken(GplParser.MIGRATE, 0)

        def WORD(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.WORD)
            else:
                return self.getToken(GplParser.WORD, i)

        def getRuleIndex(self):
            return GplParser.RULE_migrateStatement




    def migrateStatement(self):

        localctx = GplParser.MigrateStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 30, self.RULE_migrateStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 185
            self.match(GplParser.MIGRATE)
            self.state = 186
            self.match(GplParser.WORD)
            self.state = 188
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==49:
                self.state = 187
                self.match(GplParser.WORD)


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class PreemptStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def PREEMPT(self):
            return self.getToken(GplParser.PREEMPT, 0)

        def AFTER(self):
            return self.getToken(GplParser.AFTER, 0)

        def scalar(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.ScalarContext)
            else:
                return self.getTypedRuleContext(GplParser.ScalarContext,i)


        def BUDGET(self):
            return self.getToken(GplParser.BUDGET, 0)

        def PER(self):
            return self.getToken(GplParser.PER, 0)

        def getRuleIndex(self):
            return GplParser.RULE_preemptStatement




    def preemptStatement(self):

        localctx = GplParser.PreemptStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 32, self.RULE_preemptStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 190
            self.match(GplParser.PREEMPT)
            self.state = 193
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==18:
                self.state = 191
                self.match(GplParser.AFTER)
                self.state = 192
                self.scalar()


            self.state = 200
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==19:
                self.state = 195
                self.match(GplParser.BUDGET)
                self.state = 196
                self.scalar()
                self.state = 197
                self.match(GplParser.PER)
                self.state = 198
                self.scalar()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class MaxWaitStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def MAX_WAIT(self):
            return self.getToken(GplParser.MAX_WAIT, 0)

        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_maxWaitStatement




    def maxWaitStatement(self):

        localctx = GplParser.MaxWaitStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 34, self.RULE_maxWaitStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 202
            self.match(GplParser.MAX_WAIT)
            self.state = 203
            self.scalar()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class InheritStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def INHERIT(self):
            return self.getToken(GplParser.INHERIT, 0)

        def getRuleIndex(self):
            return GplParser.RULE_inheritStatement




    def inheritStatement(self):

        localctx = GplParser.InheritStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 36, self.RULE_inheritStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 205
            self.match(GplParser.INHERIT)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class MonitorStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def MONITOR(self):
            return self.getToken(GplParser.MONITOR, 0)

        def getRuleIndex(self):
            return GplParser.RULE_monitorStatement




    def monitorStatement(self):

        localctx = GplParser.MonitorStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 38, self.RULE_monitorStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 207
            self.match(GplParser.MONITOR)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class CpuTermContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def NUMBER(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.NUMBER)
            else:
                return self.getToken(GplParser.NUMBER, i)

        def MINUS(self):
            return self.getToken(GplParser.MINUS, 0)

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

        def getRuleIndex(self):
            return GplParser.RULE_cpuTerm




    def cpuTerm(self):

        localctx = GplParser.CpuTermContext(self, self._ctx, self.state)
        self.enterRule(localctx, 40, self.RULE_cpuTerm)
        self._la = 0 # Token type
        try:
            self.state = 218
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [48]:
                self.enterOuterAlt(localctx, 1)
                self.state = 209
                self.match(GplParser.NUMBER)
                self.state = 212
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==41:
                    self.state = 210
                    self.match(GplParser.MINUS)
                    self.state = 211
                    self.match(GplParser.NUMBER)


                pass
            elif token in [49]:
                self.enterOuterAlt(localctx, 2)
                self.state = 214
                self.match(GplParser.WORD)
                self.state = 216
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==48:
                    self.state = 215
                    self.match(GplParser.NUMBER)


                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ExpressionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def unary(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.UnaryContext)
            else:
                return self.getTypedRuleContext(GplParser.UnaryContext,i)


        def AND(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.AND)
            else:
                return self.getToken(GplParser.AND, i)

        def OR(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.OR)
            else:
                return self.getToken(GplParser.OR, i)

        def getRuleIndex(self):
            return GplParser.RULE_expression




    def expression(self):

        localctx = GplParser.ExpressionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 42, self.RULE_expression)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 220
            self.unary()
            self.state = 225
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==27 or _la==28:
                self.state = 221
                _la = self._input.LA(1)
                if not(_la==27 or _la==28):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 222
                self.unary()
                self.state = 227
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class UnaryContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def primary(self):
            return self.getTypedRuleContext(GplParser.PrimaryContext,0)


        def NOT(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.NOT)
            else:
                return self.getToken(GplParser.NOT, i)

        def getRuleIndex(self):
            return GplParser.RULE_unary




    def unary(self):

        localctx = GplParser.UnaryContext(self, self._ctx, self.state)
        self.enterRule(localctx, 44, self.RULE_unary)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 231
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==29:
                self.state = 228
                self.match(GplParser.NOT)
                self.state = 233
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 234
            self.primary()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class PrimaryContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LPAREN(self):
            return self.getToken(GplParser.LPAREN, 0)

        def expression(self):
            return self.getTypedRuleContext(GplParser.ExpressionContext,0)


        def RPAREN(self):
            return self.getToken(GplParser.RPAREN, 0)

        def comparison(self):
            return self.getTypedRuleContext(GplParser.ComparisonContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_primary




    def primary(self):

        localctx = GplParser.PrimaryContext(self, self._ctx, self.state)
        self.enterRule(localctx, 46, self.RULE_primary)
        try:
            self.state = 241
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [42]:
                self.enterOuterAlt(localctx, 1)
                self.state = 236
                self.match(GplParser.LPAREN)
                self.state = 237
                self.expression()
                self.state = 238
                self.match(GplParser.RPAREN)
                pass
            elif token in [49]:
                self.enterOuterAlt(localctx, 2)
                self.state = 240
                self.comparison()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ComparisonContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def WORD(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.WORD)
            else:
                return self.getToken(GplParser.WORD, i)

        def STRING(self):
            return self.getToken(GplParser.STRING, 0)

        def WITHIN(self):
            return self.getToken(GplParser.WITHIN, 0)

        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def comparator(self):
            return self.getTypedRuleContext(GplParser.ComparatorContext,0)


        def operand(self):
            return self.getTypedRuleContext(GplParser.OperandContext,0)


        def VIA(self):
            return self.getToken(GplParser.VIA, 0)

        def getRuleIndex(self):
            return GplParser.RULE_comparison




    def comparison(self):

        localctx = GplParser.ComparisonContext(self, self._ctx, self.state)
        self.enterRule(localctx, 48, self.RULE_comparison)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 243
            self.match(GplParser.WORD)
            self.state = 245
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==50:
                self.state = 244
                self.match(GplParser.STRING)


            self.state = 253
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==21:
                self.state = 247
                self.match(GplParser.WITHIN)
                self.state = 248
                self.scalar()
                self.state = 251
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==22:
                    self.state = 249
                    self.match(GplParser.VIA)
                    self.state = 250
                    self.match(GplParser.WORD)




            self.state = 258
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 548757569536) != 0):
                self.state = 255
                self.comparator()
                self.state = 256
                self.operand()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ComparatorContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def EQ(self):
            return self.getToken(GplParser.EQ, 0)

        def NE(self):
            return self.getToken(GplParser.NE, 0)

        def LT(self):
            return self.getToken(GplParser.LT, 0)

        def LE(self):
            return self.getToken(GplParser.LE, 0)

        def GT(self):
            return self.getToken(GplParser.GT, 0)

        def GE(self):
            return self.getToken(GplParser.GE, 0)

        def GLOB(self):
            return self.getToken(GplParser.GLOB, 0)

        def REGEX(self):
            return self.getToken(GplParser.REGEX, 0)

        def IN(self):
            return self.getToken(GplParser.IN, 0)

        def UNDER(self):
            return self.getToken(GplParser.UNDER, 0)

        def ASSIGN(self):
            return self.getToken(GplParser.ASSIGN, 0)

        def getRuleIndex(self):
            return GplParser.RULE_comparator




    def comparator(self):

        localctx = GplParser.ComparatorContext(self, self._ctx, self.state)
        self.enterRule(localctx, 50, self.RULE_comparator)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 260
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 548757569536) != 0)):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class OperandContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def scalar(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.ScalarContext)
            else:
                return self.getTypedRuleContext(GplParser.ScalarContext,i)


        def DOTS(self):
            return self.getToken(GplParser.DOTS, 0)

        def text(self):
            return self.getTypedRuleContext(GplParser.TextContext,0)


        def listLiteral(self):
            return self.getTypedRuleContext(GplParser.ListLiteralContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_operand




    def operand(self):

        localctx = GplParser.OperandContext(self, self._ctx, self.state)
        self.enterRule(localctx, 52, self.RULE_operand)
        self._la = 0 # Token type
        try:
            self.state = 269
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [41, 48, 49]:
                self.enterOuterAlt(localctx, 1)
                self.state = 262
                self.scalar()
                self.state = 265
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==39:
                    self.state = 263
                    self.match(GplParser.DOTS)
                    self.state = 264
                    self.scalar()


                pass
            elif token in [50, 51]:
                self.enterOuterAlt(localctx, 2)
                self.state = 267
                self.text()
                pass
            elif token in [44]:
                self.enterOuterAlt(localctx, 3)
                self.state = 268
                self.listLiteral()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ListLiteralContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LBRACKET(self):
            return self.getToken(GplParser.LBRACKET, 0)

        def RBRACKET(self):
            return self.getToken(GplParser.RBRACKET, 0)

        def element(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.ElementContext)
            else:
                return self.getTypedRuleContext(GplParser.ElementContext,i)


        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.COMMA)
            else:
                return self.getToken(GplParser.COMMA, i)

        def getRuleIndex(self):
            return GplParser.RULE_listLiteral




    def listLiteral(self):

        localctx = GplParser.ListLiteralContext(self, self._ctx, self.state)
        self.enterRule(localctx, 54, self.RULE_listLiteral)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 271
            self.match(GplParser.LBRACKET)
            self.state = 283
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 4224323673915392) != 0):
                self.state = 272
                self.element()
                self.state = 277
                self._errHandler.sync(self)
                _alt = self._interp.adaptivePredict(self._input,26,self._ctx)
                while _alt!=2 and _alt!=ATN.INVALID_ALT_NUMBER:
                    if _alt==1:
                        self.state = 273
                        self.match(GplParser.COMMA)
                        self.state = 274
                        self.element() 
                    self.state = 279
                    self._errHandler.sync(self)
                    _alt = self._interp.adaptivePredict(self._input,26,self._ctx)

                self.state = 281
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==40:
                    self.state = 280
                    self.match(GplParser.COMMA)




            self.state = 285
            self.match(GplParser.RBRACKET)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ElementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def text(self):
            return self.getTypedRuleContext(GplParser.TextContext,0)


        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_element




    def element(self):

        localctx = GplParser.ElementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 56, self.RULE_element)
        try:
            self.state = 289
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [50, 51]:
                self.enterOuterAlt(localctx, 1)
                self.state = 287
                self.text()
                pass
            elif token in [41, 48, 49]:
                self.enterOuterAlt(localctx, 2)
                self.state = 288
                self.scalar()
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TextContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def STRING(self):
            return self.getToken(GplParser.STRING, 0)

        def RAW(self):
            return self.getToken(GplParser.RAW, 0)

        def getRuleIndex(self):
            return GplParser.RULE_text




    def text(self):

        localctx = GplParser.TextContext(self, self._ctx, self.state)
        self.enterRule(localctx, 58, self.RULE_text)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 291
            _la = self._input.LA(1)
            if not(_la==50 or _la==51):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ScalarContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def NUMBER(self):
            return self.getToken(GplParser.NUMBER, 0)

        def MINUS(self):
            return self.getToken(GplParser.MINUS, 0)

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

        def getRuleIndex(self):
            return GplParser.RULE_scalar




    def scalar(self):

        localctx = GplParser.ScalarContext(self, self._ctx, self.state)
        self.enterRule(localctx, 60, self.RULE_scalar)
        self._la = 0 # Token type
        try:
            self.state = 298
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [41, 48]:
                self.enterOuterAlt(localctx, 1)
                self.state = 294
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==41:
                    self.state = 293
                    self.match(GplParser.MINUS)


                self.state = 296
                self.match(GplParser.NUMBER)
                pass
            elif token in [49]:
                self.enterOuterAlt(localctx, 2)
                self.state = 297
                self.match(GplParser.WORD)
                pass
            else:
                raise NoViableAltException(self)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ExpectBlockContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def EXPECT(self):
            return self.getToken(GplParser.EXPECT, 0)

        def anyName(self):
            return self.getTypedRuleContext(GplParser.AnyNameContext,0)


        def LBRACE(self):
            return self.getToken(GplParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(GplParser.RBRACE, 0)

        def asRule(self):
            return self.getTypedRuleContext(GplParser.AsRuleContext,0)


        def UNDER(self):
            return self.getToken(GplParser.UNDER, 0)

        def load(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.LoadContext)
            else:
                return self.getTypedRuleContext(GplParser.LoadContext,i)


        def claim(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.ClaimContext)
            else:
                return self.getTypedRuleContext(GplParser.ClaimContext,i)


        def COMMA(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.COMMA)
            else:
                return self.getToken(GplParser.COMMA, i)

        def getRuleIndex(self):
            return GplParser.RULE_expectBlock




    def expectBlock(self):

        localctx = GplParser.ExpectBlockContext(self, self._ctx, self.state)
        self.enterRule(localctx, 62, self.RULE_expectBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 300
            self.match(GplParser.EXPECT)
            self.state = 301
            self.anyName()
            self.state = 303
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==24:
                self.state = 302
                self.asRule()


            self.state = 314
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==23:
                self.state = 305
                self.match(GplParser.UNDER)
                self.state = 306
                self.load()
                self.state = 311
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==40:
                    self.state = 307
                    self.match(GplParser.COMMA)
                    self.state = 308
                    self.load()
                    self.state = 313
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 316
            self.match(GplParser.LBRACE)
            self.state = 320
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==49:
                self.state = 317
                self.claim()
                self.state = 322
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 323
            self.match(GplParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AsRuleContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def AS(self):
            return self.getToken(GplParser.AS, 0)

        def anyName(self):
            return self.getTypedRuleContext(GplParser.AnyNameContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_asRule




    def asRule(self):

        localctx = GplParser.AsRuleContext(self, self._ctx, self.state)
        self.enterRule(localctx, 64, self.RULE_asRule)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 325
            self.match(GplParser.AS)
            self.state = 326
            self.anyName()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class LoadContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def anyName(self):
            return self.getTypedRuleContext(GplParser.AnyNameContext,0)


        def NUMBER(self):
            return self.getToken(GplParser.NUMBER, 0)

        def asRule(self):
            return self.getTypedRuleContext(GplParser.AsRuleContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_load




    def load(self):

        localctx = GplParser.LoadContext(self, self._ctx, self.state)
        self.enterRule(localctx, 66, self.RULE_load)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 328
            self.anyName()
            self.state = 329
            self.match(GplParser.NUMBER)
            self.state = 331
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==24:
                self.state = 330
                self.asRule()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ClaimContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def WORD(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.WORD)
            else:
                return self.getToken(GplParser.WORD, i)

        def LPAREN(self):
            return self.getToken(GplParser.LPAREN, 0)

        def anyName(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.AnyNameContext)
            else:
                return self.getTypedRuleContext(GplParser.AnyNameContext,i)


        def RPAREN(self):
            return self.getToken(GplParser.RPAREN, 0)

        def comparator(self):
            return self.getTypedRuleContext(GplParser.ComparatorContext,0)


        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def OF(self):
            return self.getToken(GplParser.OF, 0)

        def STRING(self):
            return self.getToken(GplParser.STRING, 0)

        def getRuleIndex(self):
            return GplParser.RULE_claim




    def claim(self):

        localctx = GplParser.ClaimContext(self, self._ctx, self.state)
        self.enterRule(localctx, 68, self.RULE_claim)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 333
            self.match(GplParser.WORD)
            self.state = 334
            self.match(GplParser.LPAREN)
            self.state = 335
            self.anyName()
            self.state = 337
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 562951027163134) != 0):
                self.state = 336
                self.anyName()


            self.state = 339
            self.match(GplParser.RPAREN)
            self.state = 340
            self.comparator()
            self.state = 341
            self.scalar()
            self.state = 344
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==25:
                self.state = 342
                self.match(GplParser.OF)
                self.state = 343
                _la = self._input.LA(1)
                if not(_la==49 or _la==50):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class AnyNameContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

        def POLICY(self):
            return self.getToken(GplParser.POLICY, 0)

        def INCLUDE(self):
            return self.getToken(GplParser.INCLUDE, 0)

        def TUNABLE(self):
            return self.getToken(GplParser.TUNABLE, 0)

        def SET(self):
            return self.getToken(GplParser.SET, 0)

        def RULE(self):
            return self.getToken(GplParser.RULE, 0)

        def DEFAULT(self):
            return self.getToken(GplParser.DEFAULT, 0)

        def EXPECT(self):
            return self.getToken(GplParser.EXPECT, 0)

        def MATCH(self):
            return self.getToken(GplParser.MATCH, 0)

        def PRIORITY(self):
            return self.getToken(GplParser.PRIORITY, 0)

        def WEIGHT(self):
            return self.getToken(GplParser.WEIGHT, 0)

        def SLICE(self):
            return self.getToken(GplParser.SLICE, 0)

        def CPUS(self):
            return self.getToken(GplParser.CPUS, 0)

        def MIGRATE(self):
            return self.getToken(GplParser.MIGRATE, 0)

        def PREEMPT(self):
            return self.getToken(GplParser.PREEMPT, 0)

        def MAX_WAIT(self):
            return self.getToken(GplParser.MAX_WAIT, 0)

        def INHERIT(self):
            return self.getToken(GplParser.INHERIT, 0)

        def MONITOR(self):
            return self.getToken(GplParser.MONITOR, 0)

        def AFTER(self):
            return self.getToken(GplParser.AFTER, 0)

        def BUDGET(self):
            return self.getToken(GplParser.BUDGET, 0)

        def PER(self):
            return self.getToken(GplParser.PER, 0)

        def WITHIN(self):
            return self.getToken(GplParser.WITHIN, 0)

        def VIA(self):
            return self.getToken(GplParser.VIA, 0)

        def UNDER(self):
            return self.getToken(GplParser.UNDER, 0)

        def AS(self):
            return self.getToken(GplParser.AS, 0)

        def OF(self):
            return self.getToken(GplParser.OF, 0)

        def IN(self):
            return self.getToken(GplParser.IN, 0)

        def AND(self):
            return self.getToken(GplParser.AND, 0)

        def OR(self):
            return self.getToken(GplParser.OR, 0)

        def NOT(self):
            return self.getToken(GplParser.NOT, 0)

        def getRuleIndex(self):
            return GplParser.RULE_anyName




    def anyName(self):

        localctx = GplParser.AnyNameContext(self, self._ctx, self.state)
        self.enterRule(localctx, 70, self.RULE_anyName)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 346
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 562951027163134) != 0)):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx






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
        4,1,62,355,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,
        7,20,2,21,7,21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,
        2,27,7,27,2,28,7,28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,
        7,33,2,34,7,34,2,35,7,35,2,36,7,36,1,0,5,0,76,8,0,10,0,12,0,79,9,
        0,1,0,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3,1,90,8,1,1,2,1,2,1,2,1,2,
        5,2,96,8,2,10,2,12,2,99,9,2,1,2,1,2,1,3,1,3,3,3,105,8,3,1,3,1,3,
        1,4,1,4,1,4,1,5,1,5,1,5,1,5,1,5,1,5,1,5,1,5,1,5,1,6,1,6,1,6,1,6,
        1,6,3,6,126,8,6,1,7,1,7,1,7,1,7,5,7,132,8,7,10,7,12,7,135,9,7,1,
        7,1,7,1,8,1,8,1,8,5,8,142,8,8,10,8,12,8,145,9,8,1,8,1,8,1,9,1,9,
        1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,3,9,160,8,9,1,10,1,10,1,10,1,
        11,1,11,1,11,1,12,1,12,1,12,1,13,1,13,1,13,1,13,3,13,175,8,13,1,
        14,1,14,1,14,1,14,5,14,181,8,14,10,14,12,14,184,9,14,1,14,3,14,187,
        8,14,1,15,1,15,1,15,3,15,192,8,15,1,16,1,16,1,16,3,16,197,8,16,1,
        16,1,16,1,16,1,16,1,16,3,16,204,8,16,1,17,1,17,1,17,1,18,1,18,1,
        18,1,19,1,19,1,20,1,20,1,21,1,21,1,21,3,21,219,8,21,1,21,1,21,3,
        21,223,8,21,3,21,225,8,21,1,22,1,22,1,22,5,22,230,8,22,10,22,12,
        22,233,9,22,1,23,5,23,236,8,23,10,23,12,23,239,9,23,1,23,1,23,1,
        24,1,24,1,24,1,24,1,24,3,24,248,8,24,1,25,1,25,3,25,252,8,25,1,25,
        1,25,1,25,1,25,3,25,258,8,25,3,25,260,8,25,1,25,1,25,1,25,3,25,265,
        8,25,1,26,1,26,1,27,1,27,1,27,3,27,272,8,27,1,27,1,27,3,27,276,8,
        27,1,28,1,28,1,28,1,28,5,28,282,8,28,10,28,12,28,285,9,28,1,28,3,
        28,288,8,28,3,28,290,8,28,1,28,1,28,1,29,1,29,3,29,296,8,29,1,30,
        1,30,1,31,3,31,301,8,31,1,31,1,31,3,31,305,8,31,1,32,1,32,1,32,3,
        32,310,8,32,1,32,1,32,1,32,1,32,5,32,316,8,32,10,32,12,32,319,9,
        32,3,32,321,8,32,1,32,1,32,5,32,325,8,32,10,32,12,32,328,9,32,1,
        32,1,32,1,33,1,33,1,33,1,34,1,34,1,34,3,34,338,8,34,1,35,1,35,1,
        35,1,35,3,35,344,8,35,1,35,1,35,1,35,1,35,1,35,3,35,351,8,35,1,36,
        1,36,1,36,0,0,37,0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,
        36,38,40,42,44,46,48,50,52,54,56,58,60,62,64,66,68,70,72,0,5,1,0,
        28,29,3,0,24,24,27,27,31,39,1,0,51,52,1,0,50,51,2,0,1,30,50,50,371,
        0,77,1,0,0,0,2,89,1,0,0,0,4,91,1,0,0,0,6,102,1,0,0,0,8,108,1,0,0,
        0,10,111,1,0,0,0,12,120,1,0,0,0,14,127,1,0,0,0,16,138,1,0,0,0,18,
        159,1,0,0,0,20,161,1,0,0,0,22,164,1,0,0,0,24,167,1,0,0,0,26,170,
        1,0,0,0,28,176,1,0,0,0,30,188,1,0,0,0,32,193,1,0,0,0,34,205,1,0,
        0,0,36,208,1,0,0,0,38,211,1,0,0,0,40,213,1,0,0,0,42,224,1,0,0,0,
        44,226,1,0,0,0,46,237,1,0,0,0,48,247,1,0,0,0,50,249,1,0,0,0,52,266,
        1,0,0,0,54,275,1,0,0,0,56,277,1,0,0,0,58,295,1,0,0,0,60,297,1,0,
        0,0,62,304,1,0,0,0,64,306,1,0,0,0,66,331,1,0,0,0,68,334,1,0,0,0,
        70,339,1,0,0,0,72,352,1,0,0,0,74,76,3,2,1,0,75,74,1,0,0,0,76,79,
        1,0,0,0,77,75,1,0,0,0,77,78,1,0,0,0,78,80,1,0,0,0,79,77,1,0,0,0,
        80,81,5,0,0,1,81,1,1,0,0,0,82,90,3,4,2,0,83,90,3,8,4,0,84,90,3,10,
        5,0,85,90,3,12,6,0,86,90,3,14,7,0,87,90,3,16,8,0,88,90,3,64,32,0,
        89,82,1,0,0,0,89,83,1,0,0,0,89,84,1,0,0,0,89,85,1,0,0,0,89,86,1,
        0,0,0,89,87,1,0,0,0,89,88,1,0,0,0,90,3,1,0,0,0,91,92,5,1,0,0,92,
        93,3,72,36,0,93,97,5,47,0,0,94,96,3,6,3,0,95,94,1,0,0,0,96,99,1,
        0,0,0,97,95,1,0,0,0,97,98,1,0,0,0,98,100,1,0,0,0,99,97,1,0,0,0,100,
        101,5,48,0,0,101,5,1,0,0,0,102,104,5,50,0,0,103,105,3,52,26,0,104,
        103,1,0,0,0,104,105,1,0,0,0,105,106,1,0,0,0,106,107,3,62,31,0,107,
        7,1,0,0,0,108,109,5,2,0,0,109,110,5,51,0,0,110,9,1,0,0,0,111,112,
        5,3,0,0,112,113,5,50,0,0,113,114,5,39,0,0,114,115,3,62,31,0,115,
        116,5,27,0,0,116,117,3,62,31,0,117,118,5,40,0,0,118,119,3,62,31,
        0,119,11,1,0,0,0,120,121,5,4,0,0,121,122,5,50,0,0,122,125,5,39,0,
        0,123,126,3,56,28,0,124,126,3,44,22,0,125,123,1,0,0,0,125,124,1,
        0,0,0,126,13,1,0,0,0,127,128,5,5,0,0,128,129,3,72,36,0,129,133,5,
        47,0,0,130,132,3,18,9,0,131,130,1,0,0,0,132,135,1,0,0,0,133,131,
        1,0,0,0,133,134,1,0,0,0,134,136,1,0,0,0,135,133,1,0,0,0,136,137,
        5,48,0,0,137,15,1,0,0,0,138,139,5,6,0,0,139,143,5,47,0,0,140,142,
        3,18,9,0,141,140,1,0,0,0,142,145,1,0,0,0,143,141,1,0,0,0,143,144,
        1,0,0,0,144,146,1,0,0,0,145,143,1,0,0,0,146,147,5,48,0,0,147,17,
        1,0,0,0,148,160,3,20,10,0,149,160,3,22,11,0,150,160,3,24,12,0,151,
        160,3,26,13,0,152,160,3,28,14,0,153,160,3,30,15,0,154,160,3,32,16,
        0,155,160,3,34,17,0,156,160,3,36,18,0,157,160,3,38,19,0,158,160,
        3,40,20,0,159,148,1,0,0,0,159,149,1,0,0,0,159,150,1,0,0,0,159,151,
        1,0,0,0,159,152,1,0,0,0,159,153,1,0,0,0,159,154,1,0,0,0,159,155,
        1,0,0,0,159,156,1,0,0,0,159,157,1,0,0,0,159,158,1,0,0,0,160,19,1,
        0,0,0,161,162,5,8,0,0,162,163,3,44,22,0,163,21,1,0,0,0,164,165,5,
        9,0,0,165,166,5,50,0,0,166,23,1,0,0,0,167,168,5,10,0,0,168,169,3,
        62,31,0,169,25,1,0,0,0,170,171,5,11,0,0,171,174,3,62,31,0,172,173,
        5,40,0,0,173,175,3,62,31,0,174,172,1,0,0,0,174,175,1,0,0,0,175,27,
        1,0,0,0,176,177,5,12,0,0,177,182,3,42,21,0,178,179,5,41,0,0,179,
        181,3,42,21,0,180,178,1,0,0,0,181,184,1,0,0,0,182,180,1,0,0,0,182,
        183,1,0,0,0,183,186,1,0,0,0,184,182,1,0,0,0,185,187,5,50,0,0,186,
        185,1,0,0,0,186,187,1,0,0,0,187,29,1,0,0,0,188,189,5,13,0,0,189,
        191,5,50,0,0,190,192,5,50,0,0,191,190,1,0,0,0,191,192,1,0,0,0,192,
        31,1,0,0,0,193,196,5,14,0,0,194,195,5,19,0,0,195,197,3,62,31,0,196,
        194,1,0,0,0,196,197,1,0,0,0,197,203,1,0,0,0,198,199,5,20,0,0,199,
        200,3,62,31,0,200,201,5,21,0,0,201,202,3,62,31,0,202,204,1,0,0,0,
        203,198,1,0,0,0,203,204,1,0,0,0,204,33,1,0,0,0,205,206,5,15,0,0,
        206,207,3,62,31,0,207,35,1,0,0,0,208,209,5,16,0,0,209,210,3,62,31,
        0,210,37,1,0,0,0,211,212,5,17,0,0,212,39,1,0,0,0,213,214,5,18,0,
        0,214,41,1,0,0,0,215,218,5,49,0,0,216,217,5,42,0,0,217,219,5,49,
        0,0,218,216,1,0,0,0,218,219,1,0,0,0,219,225,1,0,0,0,220,222,5,50,
        0,0,221,223,5,49,0,0,222,221,1,0,0,0,222,223,1,0,0,0,223,225,1,0,
        0,0,224,215,1,0,0,0,224,220,1,0,0,0,225,43,1,0,0,0,226,231,3,46,
        23,0,227,228,7,0,0,0,228,230,3,46,23,0,229,227,1,0,0,0,230,233,1,
        0,0,0,231,229,1,0,0,0,231,232,1,0,0,0,232,45,1,0,0,0,233,231,1,0,
        0,0,234,236,5,30,0,0,235,234,1,0,0,0,236,239,1,0,0,0,237,235,1,0,
        0,0,237,238,1,0,0,0,238,240,1,0,0,0,239,237,1,0,0,0,240,241,3,48,
        24,0,241,47,1,0,0,0,242,243,5,43,0,0,243,244,3,44,22,0,244,245,5,
        44,0,0,245,248,1,0,0,0,246,248,3,50,25,0,247,242,1,0,0,0,247,246,
        1,0,0,0,248,49,1,0,0,0,249,251,5,50,0,0,250,252,5,51,0,0,251,250,
        1,0,0,0,251,252,1,0,0,0,252,259,1,0,0,0,253,254,5,22,0,0,254,257,
        3,62,31,0,255,256,5,23,0,0,256,258,5,50,0,0,257,255,1,0,0,0,257,
        258,1,0,0,0,258,260,1,0,0,0,259,253,1,0,0,0,259,260,1,0,0,0,260,
        264,1,0,0,0,261,262,3,52,26,0,262,263,3,54,27,0,263,265,1,0,0,0,
        264,261,1,0,0,0,264,265,1,0,0,0,265,51,1,0,0,0,266,267,7,1,0,0,267,
        53,1,0,0,0,268,271,3,62,31,0,269,270,5,40,0,0,270,272,3,62,31,0,
        271,269,1,0,0,0,271,272,1,0,0,0,272,276,1,0,0,0,273,276,3,60,30,
        0,274,276,3,56,28,0,275,268,1,0,0,0,275,273,1,0,0,0,275,274,1,0,
        0,0,276,55,1,0,0,0,277,289,5,45,0,0,278,283,3,58,29,0,279,280,5,
        41,0,0,280,282,3,58,29,0,281,279,1,0,0,0,282,285,1,0,0,0,283,281,
        1,0,0,0,283,284,1,0,0,0,284,287,1,0,0,0,285,283,1,0,0,0,286,288,
        5,41,0,0,287,286,1,0,0,0,287,288,1,0,0,0,288,290,1,0,0,0,289,278,
        1,0,0,0,289,290,1,0,0,0,290,291,1,0,0,0,291,292,5,46,0,0,292,57,
        1,0,0,0,293,296,3,60,30,0,294,296,3,62,31,0,295,293,1,0,0,0,295,
        294,1,0,0,0,296,59,1,0,0,0,297,298,7,2,0,0,298,61,1,0,0,0,299,301,
        5,42,0,0,300,299,1,0,0,0,300,301,1,0,0,0,301,302,1,0,0,0,302,305,
        5,49,0,0,303,305,5,50,0,0,304,300,1,0,0,0,304,303,1,0,0,0,305,63,
        1,0,0,0,306,307,5,7,0,0,307,309,3,72,36,0,308,310,3,66,33,0,309,
        308,1,0,0,0,309,310,1,0,0,0,310,320,1,0,0,0,311,312,5,24,0,0,312,
        317,3,68,34,0,313,314,5,41,0,0,314,316,3,68,34,0,315,313,1,0,0,0,
        316,319,1,0,0,0,317,315,1,0,0,0,317,318,1,0,0,0,318,321,1,0,0,0,
        319,317,1,0,0,0,320,311,1,0,0,0,320,321,1,0,0,0,321,322,1,0,0,0,
        322,326,5,47,0,0,323,325,3,70,35,0,324,323,1,0,0,0,325,328,1,0,0,
        0,326,324,1,0,0,0,326,327,1,0,0,0,327,329,1,0,0,0,328,326,1,0,0,
        0,329,330,5,48,0,0,330,65,1,0,0,0,331,332,5,25,0,0,332,333,3,72,
        36,0,333,67,1,0,0,0,334,335,3,72,36,0,335,337,5,49,0,0,336,338,3,
        66,33,0,337,336,1,0,0,0,337,338,1,0,0,0,338,69,1,0,0,0,339,340,5,
        50,0,0,340,341,5,43,0,0,341,343,3,72,36,0,342,344,3,72,36,0,343,
        342,1,0,0,0,343,344,1,0,0,0,344,345,1,0,0,0,345,346,5,44,0,0,346,
        347,3,52,26,0,347,350,3,62,31,0,348,349,5,26,0,0,349,351,7,3,0,0,
        350,348,1,0,0,0,350,351,1,0,0,0,351,71,1,0,0,0,352,353,7,4,0,0,353,
        73,1,0,0,0,39,77,89,97,104,125,133,143,159,174,182,186,191,196,203,
        218,222,224,231,237,247,251,257,259,264,271,275,283,287,289,295,
        300,304,309,317,320,326,337,343,350
    ]

class GplParser ( Parser ):

    grammarFileName = "Gpl.g4"

    atn = ATNDeserializer().deserialize(serializedATN())

    decisionsToDFA = [ DFA(ds, i) for i, ds in enumerate(atn.decisionToState) ]

    sharedContextCache = PredictionContextCache()

    literalNames = [ "<INVALID>", "'policy'", "'include'", "'tunable'", 
                     "'set'", "'rule'", "'default'", "'expect'", "'match'", 
                     "'priority'", "'weight'", "'slice'", "'cpus'", "'migrate'", 
                     "'preempt'", "'max-wait'", "'perf'", "'inherit'", "'monitor'", 
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
                      "PERF", "INHERIT", "MONITOR", "AFTER", "BUDGET", "PER", 
                      "WITHIN", "VIA", "UNDER", "AS", "OF", "IN", "AND", 
                      "OR", "NOT", "EQ", "NE", "LE", "GE", "LT", "GT", "REGEX", 
                      "GLOB", "ASSIGN", "DOTS", "COMMA", "MINUS", "LPAREN", 
                      "RPAREN", "LBRACKET", "RBRACKET", "LBRACE", "RBRACE", 
                      "NUMBER", "WORD", "STRING", "RAW", "COMMENT", "BLANK", 
                      "C_AND", "C_OR", "C_NOT", "C_NOT_GLOB", "C_COMMENT", 
                      "OPEN_STRING", "OPEN_RAW", "ODD" ]

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
    RULE_perfStatement = 18
    RULE_inheritStatement = 19
    RULE_monitorStatement = 20
    RULE_cpuTerm = 21
    RULE_expression = 22
    RULE_unary = 23
    RULE_primary = 24
    RULE_comparison = 25
    RULE_comparator = 26
    RULE_operand = 27
    RULE_listLiteral = 28
    RULE_element = 29
    RULE_text = 30
    RULE_scalar = 31
    RULE_expectBlock = 32
    RULE_asRule = 33
    RULE_load = 34
    RULE_claim = 35
    RULE_anyName = 36

    ruleNames =  [ "policyFile", "item", "policyBlock", "policySetting", 
                   "includeItem", "tunableItem", "setItem", "ruleBlock", 
                   "defaultBlock", "statement", "matchStatement", "priorityStatement", 
                   "weightStatement", "sliceStatement", "cpusStatement", 
                   "migrateStatement", "preemptStatement", "maxWaitStatement", 
                   "perfStatement", "inheritStatement", "monitorStatement", 
                   "cpuTerm", "expression", "unary", "primary", "comparison", 
                   "comparator", "operand", "listLiteral", "element", "text", 
                   "scalar", "expectBlock", "asRule", "load", "claim", "anyName" ]

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
    PERF=16
    INHERIT=17
    MONITOR=18
    AFTER=19
    BUDGET=20
    PER=21
    WITHIN=22
    VIA=23
    UNDER=24
    AS=25
    OF=26
    IN=27
    AND=28
    OR=29
    NOT=30
    EQ=31
    NE=32
    LE=33
    GE=34
    LT=35
    GT=36
    REGEX=37
    GLOB=38
    ASSIGN=39
    DOTS=40
    COMMA=41
    MINUS=42
    LPAREN=43
    RPAREN=44
    LBRACKET=45
    RBRACKET=46
    LBRACE=47
    RBRACE=48
    NUMBER=49
    WORD=50
    STRING=51
    RAW=52
    COMMENT=53
    BLANK=54
    C_AND=55
    C_OR=56
    C_NOT=57
    C_NOT_GLOB=58
    C_COMMENT=59
    OPEN_STRING=60
    OPEN_RAW=61
    ODD=62

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
            self.state = 77
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 254) != 0):
                self.state = 74
                self.item()
                self.state = 79
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 80
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
            self.state = 89
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [1]:
                self.enterOuterAlt(localctx, 1)
                self.state = 82
                self.policyBlock()
                pass
            elif token in [2]:
                self.enterOuterAlt(localctx, 2)
                self.state = 83
                self.includeItem()
                pass
            elif token in [3]:
                self.enterOuterAlt(localctx, 3)
                self.state = 84
                self.tunableItem()
                pass
            elif token in [4]:
                self.enterOuterAlt(localctx, 4)
                self.state = 85
                self.setItem()
                pass
            elif token in [5]:
                self.enterOuterAlt(localctx, 5)
                self.state = 86
                self.ruleBlock()
                pass
            elif token in [6]:
                self.enterOuterAlt(localctx, 6)
                self.state = 87
                self.defaultBlock()
                pass
            elif token in [7]:
                self.enterOuterAlt(localctx, 7)
                self.state = 88
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
            self.state = 91
            self.match(GplParser.POLICY)
            self.state = 92
            self.anyName()
            self.state = 93
            self.match(GplParser.LBRACE)
            self.state = 97
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==50:
                self.state = 94
                self.policySetting()
                self.state = 99
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 100
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
            self.state = 102
            self.match(GplParser.WORD)
            self.state = 104
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 1097515139072) != 0):
                self.state = 103
                self.comparator()


            self.state = 106
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
            self.state = 108
            self.match(GplParser.INCLUDE)
            self.state = 109
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
            self.state = 111
            self.match(GplParser.TUNABLE)
            self.state = 112
            self.match(GplParser.WORD)
            self.state = 113
            self.match(GplParser.ASSIGN)
            self.state = 114
            self.scalar()
            self.state = 115
            self.match(GplParser.IN)
            self.state = 116
            self.scalar()
            self.state = 117
            self.match(GplParser.DOTS)
            self.state = 118
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
            self.state = 120
            self.match(GplParser.SET)
            self.state = 121
            self.match(GplParser.WORD)
            self.state = 122
            self.match(GplParser.ASSIGN)
            self.state = 125
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [45]:
                self.state = 123
                self.listLiteral()
                pass
            elif token in [30, 43, 50]:
                self.state = 124
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
            self.state = 127
            self.match(GplParser.RULE)
            self.state = 128
            self.anyName()
            self.state = 129
            self.match(GplParser.LBRACE)
            self.state = 133
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 524032) != 0):
                self.state = 130
                self.statement()
                self.state = 135
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 136
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
            self.state = 138
            self.match(GplParser.DEFAULT)
            self.state = 139
            self.match(GplParser.LBRACE)
            self.state = 143
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 524032) != 0):
                self.state = 140
                self.statement()
                self.state = 145
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 146
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


        def perfStatement(self):
            return self.getTypedRuleContext(GplParser.PerfStatementContext,0)


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
            self.state = 159
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [8]:
                self.enterOuterAlt(localctx, 1)
                self.state = 148
                self.matchStatement()
                pass
            elif token in [9]:
                self.enterOuterAlt(localctx, 2)
                self.state = 149
                self.priorityStatement()
                pass
            elif token in [10]:
                self.enterOuterAlt(localctx, 3)
                self.state = 150
                self.weightStatement()
                pass
            elif token in [11]:
                self.enterOuterAlt(localctx, 4)
                self.state = 151
                self.sliceStatement()
                pass
            elif token in [12]:
                self.enterOuterAlt(localctx, 5)
                self.state = 152
                self.cpusStatement()
                pass
            elif token in [13]:
                self.enterOuterAlt(localctx, 6)
                self.state = 153
                self.migrateStatement()
                pass
            elif token in [14]:
                self.enterOuterAlt(localctx, 7)
                self.state = 154
                self.preemptStatement()
                pass
            elif token in [15]:
                self.enterOuterAlt(localctx, 8)
                self.state = 155
                self.maxWaitStatement()
                pass
            elif token in [16]:
                self.enterOuterAlt(localctx, 9)
                self.state = 156
                self.perfStatement()
                pass
            elif token in [17]:
                self.enterOuterAlt(localctx, 10)
                self.state = 157
                self.inheritStatement()
                pass
            elif token in [18]:
                self.enterOuterAlt(localctx, 11)
                self.state = 158
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
            self.state = 161
            self.match(GplParser.MATCH)
            self.state = 162
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
            self.state = 164
            self.match(GplParser.PRIORITY)
            self.state = 165
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
            self.state = 167
            self.match(GplParser.WEIGHT)
            self.state = 168
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
            self.state = 170
            self.match(GplParser.SLICE)
            self.state = 171
            self.scalar()
            self.state = 174
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==40:
                self.state = 172
                self.match(GplParser.DOTS)
                self.state = 173
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
            self.state = 176
            self.match(GplParser.CPUS)
            self.state = 177
            self.cpuTerm()
            self.state = 182
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==41:
                self.state = 178
                self.match(GplParser.COMMA)
                self.state = 179
                self.cpuTerm()
                self.state = 184
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 186
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==50:
                self.state = 185
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
            self.state = 188
            self.match(GplParser.MIGRATE)
            self.state = 189
            self.match(GplParser.WORD)
            self.state = 191
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==50:
                self.state = 190
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
            self.state = 193
            self.match(GplParser.PREEMPT)
            self.state = 196
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==19:
                self.state = 194
                self.match(GplParser.AFTER)
                self.state = 195
                self.scalar()


            self.state = 203
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==20:
                self.state = 198
                self.match(GplParser.BUDGET)
                self.state = 199
                self.scalar()
                self.state = 200
                self.match(GplParser.PER)
                self.state = 201
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
            self.state = 205
            self.match(GplParser.MAX_WAIT)
            self.state = 206
            self.scalar()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class PerfStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def PERF(self):
            return self.getToken(GplParser.PERF, 0)

        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_perfStatement




    def perfStatement(self):

        localctx = GplParser.PerfStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 36, self.RULE_perfStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 208
            self.match(GplParser.PERF)
            self.state = 209
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
        self.enterRule(localctx, 38, self.RULE_inheritStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 211
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
        self.enterRule(localctx, 40, self.RULE_monitorStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 213
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
        self.enterRule(localctx, 42, self.RULE_cpuTerm)
        self._la = 0 # Token type
        try:
            self.state = 224
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [49]:
                self.enterOuterAlt(localctx, 1)
                self.state = 215
                self.match(GplParser.NUMBER)
                self.state = 218
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==42:
                    self.state = 216
                    self.match(GplParser.MINUS)
                    self.state = 217
                    self.match(GplParser.NUMBER)


                pass
            elif token in [50]:
                self.enterOuterAlt(localctx, 2)
                self.state = 220
                self.match(GplParser.WORD)
                self.state = 222
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==49:
                    self.state = 221
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
        self.enterRule(localctx, 44, self.RULE_expression)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 226
            self.unary()
            self.state = 231
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==28 or _la==29:
                self.state = 227
                _la = self._input.LA(1)
                if not(_la==28 or _la==29):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 228
                self.unary()
                self.state = 233
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
        self.enterRule(localctx, 46, self.RULE_unary)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 237
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==30:
                self.state = 234
                self.match(GplParser.NOT)
                self.state = 239
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 240
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
        self.enterRule(localctx, 48, self.RULE_primary)
        try:
            self.state = 247
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [43]:
                self.enterOuterAlt(localctx, 1)
                self.state = 242
                self.match(GplParser.LPAREN)
                self.state = 243
                self.expression()
                self.state = 244
                self.match(GplParser.RPAREN)
                pass
            elif token in [50]:
                self.enterOuterAlt(localctx, 2)
                self.state = 246
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
        self.enterRule(localctx, 50, self.RULE_comparison)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 249
            self.match(GplParser.WORD)
            self.state = 251
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==51:
                self.state = 250
                self.match(GplParser.STRING)


            self.state = 259
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==22:
                self.state = 253
                self.match(GplParser.WITHIN)
                self.state = 254
                self.scalar()
                self.state = 257
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==23:
                    self.state = 255
                    self.match(GplParser.VIA)
                    self.state = 256
                    self.match(GplParser.WORD)




            self.state = 264
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 1097515139072) != 0):
                self.state = 261
                self.comparator()
                self.state = 262
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
        self.enterRule(localctx, 52, self.RULE_comparator)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 266
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 1097515139072) != 0)):
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
        self.enterRule(localctx, 54, self.RULE_operand)
        self._la = 0 # Token type
        try:
            self.state = 275
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [42, 49, 50]:
                self.enterOuterAlt(localctx, 1)
                self.state = 268
                self.scalar()
                self.state = 271
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==40:
                    self.state = 269
                    self.match(GplParser.DOTS)
                    self.state = 270
                    self.scalar()


                pass
            elif token in [51, 52]:
                self.enterOuterAlt(localctx, 2)
                self.state = 273
                self.text()
                pass
            elif token in [45]:
                self.enterOuterAlt(localctx, 3)
                self.state = 274
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
        self.enterRule(localctx, 56, self.RULE_listLiteral)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 277
            self.match(GplParser.LBRACKET)
            self.state = 289
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 8448647347830784) != 0):
                self.state = 278
                self.element()
                self.state = 283
                self._errHandler.sync(self)
                _alt = self._interp.adaptivePredict(self._input,26,self._ctx)
                while _alt!=2 and _alt!=ATN.INVALID_ALT_NUMBER:
                    if _alt==1:
                        self.state = 279
                        self.match(GplParser.COMMA)
                        self.state = 280
                        self.element() 
                    self.state = 285
                    self._errHandler.sync(self)
                    _alt = self._interp.adaptivePredict(self._input,26,self._ctx)

                self.state = 287
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==41:
                    self.state = 286
                    self.match(GplParser.COMMA)




            self.state = 291
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
        self.enterRule(localctx, 58, self.RULE_element)
        try:
            self.state = 295
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [51, 52]:
                self.enterOuterAlt(localctx, 1)
                self.state = 293
                self.text()
                pass
            elif token in [42, 49, 50]:
                self.enterOuterAlt(localctx, 2)
                self.state = 294
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
        self.enterRule(localctx, 60, self.RULE_text)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 297
            _la = self._input.LA(1)
            if not(_la==51 or _la==52):
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
        self.enterRule(localctx, 62, self.RULE_scalar)
        self._la = 0 # Token type
        try:
            self.state = 304
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [42, 49]:
                self.enterOuterAlt(localctx, 1)
                self.state = 300
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==42:
                    self.state = 299
                    self.match(GplParser.MINUS)


                self.state = 302
                self.match(GplParser.NUMBER)
                pass
            elif token in [50]:
                self.enterOuterAlt(localctx, 2)
                self.state = 303
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
        self.enterRule(localctx, 64, self.RULE_expectBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 306
            self.match(GplParser.EXPECT)
            self.state = 307
            self.anyName()
            self.state = 309
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==25:
                self.state = 308
                self.asRule()


            self.state = 320
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==24:
                self.state = 311
                self.match(GplParser.UNDER)
                self.state = 312
                self.load()
                self.state = 317
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==41:
                    self.state = 313
                    self.match(GplParser.COMMA)
                    self.state = 314
                    self.load()
                    self.state = 319
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 322
            self.match(GplParser.LBRACE)
            self.state = 326
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==50:
                self.state = 323
                self.claim()
                self.state = 328
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 329
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
        self.enterRule(localctx, 66, self.RULE_asRule)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 331
            self.match(GplParser.AS)
            self.state = 332
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
        self.enterRule(localctx, 68, self.RULE_load)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 334
            self.anyName()
            self.state = 335
            self.match(GplParser.NUMBER)
            self.state = 337
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==25:
                self.state = 336
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
        self.enterRule(localctx, 70, self.RULE_claim)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 339
            self.match(GplParser.WORD)
            self.state = 340
            self.match(GplParser.LPAREN)
            self.state = 341
            self.anyName()
            self.state = 343
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 1125902054326270) != 0):
                self.state = 342
                self.anyName()


            self.state = 345
            self.match(GplParser.RPAREN)
            self.state = 346
            self.comparator()
            self.state = 347
            self.scalar()
            self.state = 350
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==26:
                self.state = 348
                self.match(GplParser.OF)
                self.state = 349
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

        def PERF(self):
            return self.getToken(GplParser.PERF, 0)

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
        self.enterRule(localctx, 72, self.RULE_anyName)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 352
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 1125902054326270) != 0)):
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






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
        4,1,65,380,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,
        7,20,2,21,7,21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,
        2,27,7,27,2,28,7,28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,
        7,33,2,34,7,34,2,35,7,35,2,36,7,36,2,37,7,37,2,38,7,38,1,0,5,0,80,
        8,0,10,0,12,0,83,9,0,1,0,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3,1,
        95,8,1,1,2,1,2,1,2,1,2,5,2,101,8,2,10,2,12,2,104,9,2,1,2,3,2,107,
        8,2,1,3,1,3,3,3,111,8,3,1,3,1,3,1,4,1,4,1,4,1,5,1,5,1,5,1,5,1,5,
        1,5,1,5,1,5,1,5,1,6,1,6,1,6,1,6,1,6,3,6,132,8,6,1,7,1,7,1,7,1,7,
        5,7,138,8,7,10,7,12,7,141,9,7,1,7,1,7,1,8,1,8,1,8,5,8,148,8,8,10,
        8,12,8,151,9,8,1,8,1,8,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,
        9,3,9,166,8,9,1,10,1,10,1,10,1,11,1,11,1,11,1,12,1,12,1,12,1,13,
        1,13,1,13,1,13,3,13,181,8,13,1,14,1,14,1,14,1,14,5,14,187,8,14,10,
        14,12,14,190,9,14,1,14,3,14,193,8,14,1,15,1,15,1,15,3,15,198,8,15,
        1,16,1,16,1,16,3,16,203,8,16,1,16,1,16,1,16,1,16,1,16,3,16,210,8,
        16,1,17,1,17,1,17,1,18,1,18,1,18,1,19,1,19,1,20,1,20,1,21,1,21,1,
        21,3,21,225,8,21,1,21,1,21,3,21,229,8,21,3,21,231,8,21,1,22,1,22,
        1,22,5,22,236,8,22,10,22,12,22,239,9,22,1,23,5,23,242,8,23,10,23,
        12,23,245,9,23,1,23,1,23,1,24,1,24,1,24,1,24,1,24,3,24,254,8,24,
        1,25,1,25,3,25,258,8,25,1,25,1,25,1,25,1,25,3,25,264,8,25,3,25,266,
        8,25,1,25,1,25,1,25,3,25,271,8,25,1,26,1,26,1,27,1,27,1,27,3,27,
        278,8,27,1,27,1,27,3,27,282,8,27,1,28,1,28,1,28,1,28,5,28,288,8,
        28,10,28,12,28,291,9,28,1,28,3,28,294,8,28,3,28,296,8,28,1,28,1,
        28,1,29,1,29,3,29,302,8,29,1,30,1,30,1,31,3,31,307,8,31,1,31,1,31,
        3,31,311,8,31,1,32,1,32,1,32,3,32,316,8,32,1,32,1,32,1,32,1,32,5,
        32,322,8,32,10,32,12,32,325,9,32,3,32,327,8,32,1,32,1,32,5,32,331,
        8,32,10,32,12,32,334,9,32,1,32,1,32,1,33,1,33,1,33,1,34,1,34,1,34,
        3,34,344,8,34,1,35,1,35,1,35,1,35,3,35,350,8,35,1,35,1,35,1,35,1,
        35,1,35,3,35,357,8,35,1,36,1,36,1,36,1,36,1,36,1,36,5,36,365,8,36,
        10,36,12,36,368,9,36,1,36,3,36,371,8,36,1,36,1,36,1,37,1,37,1,37,
        1,38,1,38,1,38,0,0,39,0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,
        32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62,64,66,68,70,72,74,
        76,0,5,1,0,31,32,3,0,25,25,30,30,34,42,1,0,54,55,1,0,53,54,2,0,1,
        33,53,53,398,0,81,1,0,0,0,2,94,1,0,0,0,4,96,1,0,0,0,6,108,1,0,0,
        0,8,114,1,0,0,0,10,117,1,0,0,0,12,126,1,0,0,0,14,133,1,0,0,0,16,
        144,1,0,0,0,18,165,1,0,0,0,20,167,1,0,0,0,22,170,1,0,0,0,24,173,
        1,0,0,0,26,176,1,0,0,0,28,182,1,0,0,0,30,194,1,0,0,0,32,199,1,0,
        0,0,34,211,1,0,0,0,36,214,1,0,0,0,38,217,1,0,0,0,40,219,1,0,0,0,
        42,230,1,0,0,0,44,232,1,0,0,0,46,243,1,0,0,0,48,253,1,0,0,0,50,255,
        1,0,0,0,52,272,1,0,0,0,54,281,1,0,0,0,56,283,1,0,0,0,58,301,1,0,
        0,0,60,303,1,0,0,0,62,310,1,0,0,0,64,312,1,0,0,0,66,337,1,0,0,0,
        68,340,1,0,0,0,70,345,1,0,0,0,72,358,1,0,0,0,74,374,1,0,0,0,76,377,
        1,0,0,0,78,80,3,2,1,0,79,78,1,0,0,0,80,83,1,0,0,0,81,79,1,0,0,0,
        81,82,1,0,0,0,82,84,1,0,0,0,83,81,1,0,0,0,84,85,5,0,0,1,85,1,1,0,
        0,0,86,95,3,4,2,0,87,95,3,8,4,0,88,95,3,10,5,0,89,95,3,12,6,0,90,
        95,3,14,7,0,91,95,3,16,8,0,92,95,3,64,32,0,93,95,3,72,36,0,94,86,
        1,0,0,0,94,87,1,0,0,0,94,88,1,0,0,0,94,89,1,0,0,0,94,90,1,0,0,0,
        94,91,1,0,0,0,94,92,1,0,0,0,94,93,1,0,0,0,95,3,1,0,0,0,96,97,5,1,
        0,0,97,106,3,76,38,0,98,102,5,50,0,0,99,101,3,6,3,0,100,99,1,0,0,
        0,101,104,1,0,0,0,102,100,1,0,0,0,102,103,1,0,0,0,103,105,1,0,0,
        0,104,102,1,0,0,0,105,107,5,51,0,0,106,98,1,0,0,0,106,107,1,0,0,
        0,107,5,1,0,0,0,108,110,5,53,0,0,109,111,3,52,26,0,110,109,1,0,0,
        0,110,111,1,0,0,0,111,112,1,0,0,0,112,113,3,62,31,0,113,7,1,0,0,
        0,114,115,5,2,0,0,115,116,5,54,0,0,116,9,1,0,0,0,117,118,5,3,0,0,
        118,119,5,53,0,0,119,120,5,42,0,0,120,121,3,62,31,0,121,122,5,30,
        0,0,122,123,3,62,31,0,123,124,5,43,0,0,124,125,3,62,31,0,125,11,
        1,0,0,0,126,127,5,4,0,0,127,128,5,53,0,0,128,131,5,42,0,0,129,132,
        3,56,28,0,130,132,3,44,22,0,131,129,1,0,0,0,131,130,1,0,0,0,132,
        13,1,0,0,0,133,134,5,5,0,0,134,135,3,76,38,0,135,139,5,50,0,0,136,
        138,3,18,9,0,137,136,1,0,0,0,138,141,1,0,0,0,139,137,1,0,0,0,139,
        140,1,0,0,0,140,142,1,0,0,0,141,139,1,0,0,0,142,143,5,51,0,0,143,
        15,1,0,0,0,144,145,5,6,0,0,145,149,5,50,0,0,146,148,3,18,9,0,147,
        146,1,0,0,0,148,151,1,0,0,0,149,147,1,0,0,0,149,150,1,0,0,0,150,
        152,1,0,0,0,151,149,1,0,0,0,152,153,5,51,0,0,153,17,1,0,0,0,154,
        166,3,20,10,0,155,166,3,22,11,0,156,166,3,24,12,0,157,166,3,26,13,
        0,158,166,3,28,14,0,159,166,3,30,15,0,160,166,3,32,16,0,161,166,
        3,34,17,0,162,166,3,36,18,0,163,166,3,38,19,0,164,166,3,40,20,0,
        165,154,1,0,0,0,165,155,1,0,0,0,165,156,1,0,0,0,165,157,1,0,0,0,
        165,158,1,0,0,0,165,159,1,0,0,0,165,160,1,0,0,0,165,161,1,0,0,0,
        165,162,1,0,0,0,165,163,1,0,0,0,165,164,1,0,0,0,166,19,1,0,0,0,167,
        168,5,9,0,0,168,169,3,44,22,0,169,21,1,0,0,0,170,171,5,10,0,0,171,
        172,5,53,0,0,172,23,1,0,0,0,173,174,5,11,0,0,174,175,3,62,31,0,175,
        25,1,0,0,0,176,177,5,12,0,0,177,180,3,62,31,0,178,179,5,43,0,0,179,
        181,3,62,31,0,180,178,1,0,0,0,180,181,1,0,0,0,181,27,1,0,0,0,182,
        183,5,13,0,0,183,188,3,42,21,0,184,185,5,44,0,0,185,187,3,42,21,
        0,186,184,1,0,0,0,187,190,1,0,0,0,188,186,1,0,0,0,188,189,1,0,0,
        0,189,192,1,0,0,0,190,188,1,0,0,0,191,193,5,53,0,0,192,191,1,0,0,
        0,192,193,1,0,0,0,193,29,1,0,0,0,194,195,5,14,0,0,195,197,5,53,0,
        0,196,198,5,53,0,0,197,196,1,0,0,0,197,198,1,0,0,0,198,31,1,0,0,
        0,199,202,5,15,0,0,200,201,5,20,0,0,201,203,3,62,31,0,202,200,1,
        0,0,0,202,203,1,0,0,0,203,209,1,0,0,0,204,205,5,21,0,0,205,206,3,
        62,31,0,206,207,5,22,0,0,207,208,3,62,31,0,208,210,1,0,0,0,209,204,
        1,0,0,0,209,210,1,0,0,0,210,33,1,0,0,0,211,212,5,16,0,0,212,213,
        3,62,31,0,213,35,1,0,0,0,214,215,5,17,0,0,215,216,3,62,31,0,216,
        37,1,0,0,0,217,218,5,18,0,0,218,39,1,0,0,0,219,220,5,19,0,0,220,
        41,1,0,0,0,221,224,5,52,0,0,222,223,5,45,0,0,223,225,5,52,0,0,224,
        222,1,0,0,0,224,225,1,0,0,0,225,231,1,0,0,0,226,228,5,53,0,0,227,
        229,5,52,0,0,228,227,1,0,0,0,228,229,1,0,0,0,229,231,1,0,0,0,230,
        221,1,0,0,0,230,226,1,0,0,0,231,43,1,0,0,0,232,237,3,46,23,0,233,
        234,7,0,0,0,234,236,3,46,23,0,235,233,1,0,0,0,236,239,1,0,0,0,237,
        235,1,0,0,0,237,238,1,0,0,0,238,45,1,0,0,0,239,237,1,0,0,0,240,242,
        5,33,0,0,241,240,1,0,0,0,242,245,1,0,0,0,243,241,1,0,0,0,243,244,
        1,0,0,0,244,246,1,0,0,0,245,243,1,0,0,0,246,247,3,48,24,0,247,47,
        1,0,0,0,248,249,5,46,0,0,249,250,3,44,22,0,250,251,5,47,0,0,251,
        254,1,0,0,0,252,254,3,50,25,0,253,248,1,0,0,0,253,252,1,0,0,0,254,
        49,1,0,0,0,255,257,5,53,0,0,256,258,5,54,0,0,257,256,1,0,0,0,257,
        258,1,0,0,0,258,265,1,0,0,0,259,260,5,23,0,0,260,263,3,62,31,0,261,
        262,5,24,0,0,262,264,5,53,0,0,263,261,1,0,0,0,263,264,1,0,0,0,264,
        266,1,0,0,0,265,259,1,0,0,0,265,266,1,0,0,0,266,270,1,0,0,0,267,
        268,3,52,26,0,268,269,3,54,27,0,269,271,1,0,0,0,270,267,1,0,0,0,
        270,271,1,0,0,0,271,51,1,0,0,0,272,273,7,1,0,0,273,53,1,0,0,0,274,
        277,3,62,31,0,275,276,5,43,0,0,276,278,3,62,31,0,277,275,1,0,0,0,
        277,278,1,0,0,0,278,282,1,0,0,0,279,282,3,60,30,0,280,282,3,56,28,
        0,281,274,1,0,0,0,281,279,1,0,0,0,281,280,1,0,0,0,282,55,1,0,0,0,
        283,295,5,48,0,0,284,289,3,58,29,0,285,286,5,44,0,0,286,288,3,58,
        29,0,287,285,1,0,0,0,288,291,1,0,0,0,289,287,1,0,0,0,289,290,1,0,
        0,0,290,293,1,0,0,0,291,289,1,0,0,0,292,294,5,44,0,0,293,292,1,0,
        0,0,293,294,1,0,0,0,294,296,1,0,0,0,295,284,1,0,0,0,295,296,1,0,
        0,0,296,297,1,0,0,0,297,298,5,49,0,0,298,57,1,0,0,0,299,302,3,60,
        30,0,300,302,3,62,31,0,301,299,1,0,0,0,301,300,1,0,0,0,302,59,1,
        0,0,0,303,304,7,2,0,0,304,61,1,0,0,0,305,307,5,45,0,0,306,305,1,
        0,0,0,306,307,1,0,0,0,307,308,1,0,0,0,308,311,5,52,0,0,309,311,5,
        53,0,0,310,306,1,0,0,0,310,309,1,0,0,0,311,63,1,0,0,0,312,313,5,
        7,0,0,313,315,3,76,38,0,314,316,3,66,33,0,315,314,1,0,0,0,315,316,
        1,0,0,0,316,326,1,0,0,0,317,318,5,25,0,0,318,323,3,68,34,0,319,320,
        5,44,0,0,320,322,3,68,34,0,321,319,1,0,0,0,322,325,1,0,0,0,323,321,
        1,0,0,0,323,324,1,0,0,0,324,327,1,0,0,0,325,323,1,0,0,0,326,317,
        1,0,0,0,326,327,1,0,0,0,327,328,1,0,0,0,328,332,5,50,0,0,329,331,
        3,70,35,0,330,329,1,0,0,0,331,334,1,0,0,0,332,330,1,0,0,0,332,333,
        1,0,0,0,333,335,1,0,0,0,334,332,1,0,0,0,335,336,5,51,0,0,336,65,
        1,0,0,0,337,338,5,26,0,0,338,339,3,76,38,0,339,67,1,0,0,0,340,341,
        3,76,38,0,341,343,5,52,0,0,342,344,3,66,33,0,343,342,1,0,0,0,343,
        344,1,0,0,0,344,69,1,0,0,0,345,346,5,53,0,0,346,347,5,46,0,0,347,
        349,3,76,38,0,348,350,3,76,38,0,349,348,1,0,0,0,349,350,1,0,0,0,
        350,351,1,0,0,0,351,352,5,47,0,0,352,353,3,52,26,0,353,356,3,62,
        31,0,354,355,5,27,0,0,355,357,7,3,0,0,356,354,1,0,0,0,356,357,1,
        0,0,0,357,71,1,0,0,0,358,359,5,8,0,0,359,360,3,76,38,0,360,361,5,
        28,0,0,361,362,3,62,31,0,362,366,5,50,0,0,363,365,3,70,35,0,364,
        363,1,0,0,0,365,368,1,0,0,0,366,364,1,0,0,0,366,367,1,0,0,0,367,
        370,1,0,0,0,368,366,1,0,0,0,369,371,3,74,37,0,370,369,1,0,0,0,370,
        371,1,0,0,0,371,372,1,0,0,0,372,373,5,51,0,0,373,73,1,0,0,0,374,
        375,5,29,0,0,375,376,5,53,0,0,376,75,1,0,0,0,377,378,7,4,0,0,378,
        77,1,0,0,0,42,81,94,102,106,110,131,139,149,165,180,188,192,197,
        202,209,224,228,230,237,243,253,257,263,265,270,277,281,289,293,
        295,301,306,310,315,323,326,332,343,349,356,366,370
    ]

class GplParser ( Parser ):

    grammarFileName = "Gpl.g4"

    atn = ATNDeserializer().deserialize(serializedATN())

    decisionsToDFA = [ DFA(ds, i) for i, ds in enumerate(atn.decisionToState) ]

    sharedContextCache = PredictionContextCache()

    literalNames = [ "<INVALID>", "'policy'", "'include'", "'tunable'", 
                     "'set'", "'rule'", "'default'", "'expect'", "'promise'", 
                     "'match'", "'priority'", "'weight'", "'slice'", "'cpus'", 
                     "'migrate'", "'preempt'", "'max-wait'", "'perf'", "'inherit'", 
                     "'monitor'", "'after'", "'budget'", "'per'", "'within'", 
                     "'via'", "'under'", "'as'", "'of'", "'over'", "'else'", 
                     "'in'", "'and'", "'or'", "'not'", "'=='", "'!='", "'<='", 
                     "'>='", "'<'", "'>'", "'=~'", "'~'", "'='", "'..'", 
                     "','", "'-'", "'('", "')'", "'['", "']'", "'{'", "'}'", 
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>", 
                     "<INVALID>", "<INVALID>", "'&&'", "'||'", "'!'", "'!~'" ]

    symbolicNames = [ "<INVALID>", "POLICY", "INCLUDE", "TUNABLE", "SET", 
                      "RULE", "DEFAULT", "EXPECT", "PROMISE", "MATCH", "PRIORITY", 
                      "WEIGHT", "SLICE", "CPUS", "MIGRATE", "PREEMPT", "MAX_WAIT", 
                      "PERF", "INHERIT", "MONITOR", "AFTER", "BUDGET", "PER", 
                      "WITHIN", "VIA", "UNDER", "AS", "OF", "OVER", "ELSE", 
                      "IN", "AND", "OR", "NOT", "EQ", "NE", "LE", "GE", 
                      "LT", "GT", "REGEX", "GLOB", "ASSIGN", "DOTS", "COMMA", 
                      "MINUS", "LPAREN", "RPAREN", "LBRACKET", "RBRACKET", 
                      "LBRACE", "RBRACE", "NUMBER", "WORD", "STRING", "RAW", 
                      "COMMENT", "BLANK", "C_AND", "C_OR", "C_NOT", "C_NOT_GLOB", 
                      "C_COMMENT", "OPEN_STRING", "OPEN_RAW", "ODD" ]

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
    RULE_promiseBlock = 36
    RULE_otherwise = 37
    RULE_anyName = 38

    ruleNames =  [ "policyFile", "item", "policyBlock", "policySetting", 
                   "includeItem", "tunableItem", "setItem", "ruleBlock", 
                   "defaultBlock", "statement", "matchStatement", "priorityStatement", 
                   "weightStatement", "sliceStatement", "cpusStatement", 
                   "migrateStatement", "preemptStatement", "maxWaitStatement", 
                   "perfStatement", "inheritStatement", "monitorStatement", 
                   "cpuTerm", "expression", "unary", "primary", "comparison", 
                   "comparator", "operand", "listLiteral", "element", "text", 
                   "scalar", "expectBlock", "asRule", "load", "claim", "promiseBlock", 
                   "otherwise", "anyName" ]

    EOF = Token.EOF
    POLICY=1
    INCLUDE=2
    TUNABLE=3
    SET=4
    RULE=5
    DEFAULT=6
    EXPECT=7
    PROMISE=8
    MATCH=9
    PRIORITY=10
    WEIGHT=11
    SLICE=12
    CPUS=13
    MIGRATE=14
    PREEMPT=15
    MAX_WAIT=16
    PERF=17
    INHERIT=18
    MONITOR=19
    AFTER=20
    BUDGET=21
    PER=22
    WITHIN=23
    VIA=24
    UNDER=25
    AS=26
    OF=27
    OVER=28
    ELSE=29
    IN=30
    AND=31
    OR=32
    NOT=33
    EQ=34
    NE=35
    LE=36
    GE=37
    LT=38
    GT=39
    REGEX=40
    GLOB=41
    ASSIGN=42
    DOTS=43
    COMMA=44
    MINUS=45
    LPAREN=46
    RPAREN=47
    LBRACKET=48
    RBRACKET=49
    LBRACE=50
    RBRACE=51
    NUMBER=52
    WORD=53
    STRING=54
    RAW=55
    COMMENT=56
    BLANK=57
    C_AND=58
    C_OR=59
    C_NOT=60
    C_NOT_GLOB=61
    C_COMMENT=62
    OPEN_STRING=63
    OPEN_RAW=64
    ODD=65

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
            self.state = 81
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 510) != 0):
                self.state = 78
                self.item()
                self.state = 83
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 84
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


        def promiseBlock(self):
            return self.getTypedRuleContext(GplParser.PromiseBlockContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_item




    def item(self):

        localctx = GplParser.ItemContext(self, self._ctx, self.state)
        self.enterRule(localctx, 2, self.RULE_item)
        try:
            self.state = 94
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [1]:
                self.enterOuterAlt(localctx, 1)
                self.state = 86
                self.policyBlock()
                pass
            elif token in [2]:
                self.enterOuterAlt(localctx, 2)
                self.state = 87
                self.includeItem()
                pass
            elif token in [3]:
                self.enterOuterAlt(localctx, 3)
                self.state = 88
                self.tunableItem()
                pass
            elif token in [4]:
                self.enterOuterAlt(localctx, 4)
                self.state = 89
                self.setItem()
                pass
            elif token in [5]:
                self.enterOuterAlt(localctx, 5)
                self.state = 90
                self.ruleBlock()
                pass
            elif token in [6]:
                self.enterOuterAlt(localctx, 6)
                self.state = 91
                self.defaultBlock()
                pass
            elif token in [7]:
                self.enterOuterAlt(localctx, 7)
                self.state = 92
                self.expectBlock()
                pass
            elif token in [8]:
                self.enterOuterAlt(localctx, 8)
                self.state = 93
                self.promiseBlock()
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
            self.state = 96
            self.match(GplParser.POLICY)
            self.state = 97
            self.anyName()
            self.state = 106
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==50:
                self.state = 98
                self.match(GplParser.LBRACE)
                self.state = 102
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==53:
                    self.state = 99
                    self.policySetting()
                    self.state = 104
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 105
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
            self.state = 108
            self.match(GplParser.WORD)
            self.state = 110
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 8780020449280) != 0):
                self.state = 109
                self.comparator()


            self.state = 112
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
            self.state = 114
            self.match(GplParser.INCLUDE)
            self.state = 115
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
            self.state = 117
            self.match(GplParser.TUNABLE)
            self.state = 118
            self.match(GplParser.WORD)
            self.state = 119
            self.match(GplParser.ASSIGN)
            self.state = 120
            self.scalar()
            self.state = 121
            self.match(GplParser.IN)
            self.state = 122
            self.scalar()
            self.state = 123
            self.match(GplParser.DOTS)
            self.state = 124
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
            self.state = 126
            self.match(GplParser.SET)
            self.state = 127
            self.match(GplParser.WORD)
            self.state = 128
            self.match(GplParser.ASSIGN)
            self.state = 131
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [48]:
                self.state = 129
                self.listLiteral()
                pass
            elif token in [33, 46, 53]:
                self.state = 130
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
            self.state = 133
            self.match(GplParser.RULE)
            self.state = 134
            self.anyName()
            self.state = 135
            self.match(GplParser.LBRACE)
            self.state = 139
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 1048064) != 0):
                self.state = 136
                self.statement()
                self.state = 141
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 142
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
            self.state = 144
            self.match(GplParser.DEFAULT)
            self.state = 145
            self.match(GplParser.LBRACE)
            self.state = 149
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 1048064) != 0):
                self.state = 146
                self.statement()
                self.state = 151
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 152
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
            self.state = 165
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [9]:
                self.enterOuterAlt(localctx, 1)
                self.state = 154
                self.matchStatement()
                pass
            elif token in [10]:
                self.enterOuterAlt(localctx, 2)
                self.state = 155
                self.priorityStatement()
                pass
            elif token in [11]:
                self.enterOuterAlt(localctx, 3)
                self.state = 156
                self.weightStatement()
                pass
            elif token in [12]:
                self.enterOuterAlt(localctx, 4)
                self.state = 157
                self.sliceStatement()
                pass
            elif token in [13]:
                self.enterOuterAlt(localctx, 5)
                self.state = 158
                self.cpusStatement()
                pass
            elif token in [14]:
                self.enterOuterAlt(localctx, 6)
                self.state = 159
                self.migrateStatement()
                pass
            elif token in [15]:
                self.enterOuterAlt(localctx, 7)
                self.state = 160
                self.preemptStatement()
                pass
            elif token in [16]:
                self.enterOuterAlt(localctx, 8)
                self.state = 161
                self.maxWaitStatement()
                pass
            elif token in [17]:
                self.enterOuterAlt(localctx, 9)
                self.state = 162
                self.perfStatement()
                pass
            elif token in [18]:
                self.enterOuterAlt(localctx, 10)
                self.state = 163
                self.inheritStatement()
                pass
            elif token in [19]:
                self.enterOuterAlt(localctx, 11)
                self.state = 164
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
            self.state = 167
            self.match(GplParser.MATCH)
            self.state = 168
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
            self.state = 170
            self.match(GplParser.PRIORITY)
            self.state = 171
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
            self.state = 173
            self.match(GplParser.WEIGHT)
            self.state = 174
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
            self.state = 176
            self.match(GplParser.SLICE)
            self.state = 177
            self.scalar()
            self.state = 180
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==43:
                self.state = 178
                self.match(GplParser.DOTS)
                self.state = 179
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
            self.state = 182
            self.match(GplParser.CPUS)
            self.state = 183
            self.cpuTerm()
            self.state = 188
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==44:
                self.state = 184
                self.match(GplParser.COMMA)
                self.state = 185
                self.cpuTerm()
                self.state = 190
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 192
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==53:
                self.state = 191
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
            self.state = 194
            self.match(GplParser.MIGRATE)
            self.state = 195
            self.match(GplParser.WORD)
            self.state = 197
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==53:
                self.state = 196
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
            self.state = 199
            self.match(GplParser.PREEMPT)
            self.state = 202
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==20:
                self.state = 200
                self.match(GplParser.AFTER)
                self.state = 201
                self.scalar()


            self.state = 209
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==21:
                self.state = 204
                self.match(GplParser.BUDGET)
                self.state = 205
                self.scalar()
                self.state = 206
                self.match(GplParser.PER)
                self.state = 207
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
            self.state = 211
            self.match(GplParser.MAX_WAIT)
            self.state = 212
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
            self.state = 214
            self.match(GplParser.PERF)
            self.state = 215
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
            self.state = 217
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
            self.state = 219
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
            self.state = 230
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [52]:
                self.enterOuterAlt(localctx, 1)
                self.state = 221
                self.match(GplParser.NUMBER)
                self.state = 224
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==45:
                    self.state = 222
                    self.match(GplParser.MINUS)
                    self.state = 223
                    self.match(GplParser.NUMBER)


                pass
            elif token in [53]:
                self.enterOuterAlt(localctx, 2)
                self.state = 226
                self.match(GplParser.WORD)
                self.state = 228
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==52:
                    self.state = 227
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
            self.state = 232
            self.unary()
            self.state = 237
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==31 or _la==32:
                self.state = 233
                _la = self._input.LA(1)
                if not(_la==31 or _la==32):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 234
                self.unary()
                self.state = 239
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
            self.state = 243
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==33:
                self.state = 240
                self.match(GplParser.NOT)
                self.state = 245
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 246
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
            self.state = 253
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [46]:
                self.enterOuterAlt(localctx, 1)
                self.state = 248
                self.match(GplParser.LPAREN)
                self.state = 249
                self.expression()
                self.state = 250
                self.match(GplParser.RPAREN)
                pass
            elif token in [53]:
                self.enterOuterAlt(localctx, 2)
                self.state = 252
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
            self.state = 255
            self.match(GplParser.WORD)
            self.state = 257
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==54:
                self.state = 256
                self.match(GplParser.STRING)


            self.state = 265
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==23:
                self.state = 259
                self.match(GplParser.WITHIN)
                self.state = 260
                self.scalar()
                self.state = 263
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==24:
                    self.state = 261
                    self.match(GplParser.VIA)
                    self.state = 262
                    self.match(GplParser.WORD)




            self.state = 270
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 8780020449280) != 0):
                self.state = 267
                self.comparator()
                self.state = 268
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
            self.state = 272
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 8780020449280) != 0)):
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
            self.state = 281
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [45, 52, 53]:
                self.enterOuterAlt(localctx, 1)
                self.state = 274
                self.scalar()
                self.state = 277
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==43:
                    self.state = 275
                    self.match(GplParser.DOTS)
                    self.state = 276
                    self.scalar()


                pass
            elif token in [54, 55]:
                self.enterOuterAlt(localctx, 2)
                self.state = 279
                self.text()
                pass
            elif token in [48]:
                self.enterOuterAlt(localctx, 3)
                self.state = 280
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
            self.state = 283
            self.match(GplParser.LBRACKET)
            self.state = 295
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 67589178782646272) != 0):
                self.state = 284
                self.element()
                self.state = 289
                self._errHandler.sync(self)
                _alt = self._interp.adaptivePredict(self._input,27,self._ctx)
                while _alt!=2 and _alt!=ATN.INVALID_ALT_NUMBER:
                    if _alt==1:
                        self.state = 285
                        self.match(GplParser.COMMA)
                        self.state = 286
                        self.element() 
                    self.state = 291
                    self._errHandler.sync(self)
                    _alt = self._interp.adaptivePredict(self._input,27,self._ctx)

                self.state = 293
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==44:
                    self.state = 292
                    self.match(GplParser.COMMA)




            self.state = 297
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
            self.state = 301
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [54, 55]:
                self.enterOuterAlt(localctx, 1)
                self.state = 299
                self.text()
                pass
            elif token in [45, 52, 53]:
                self.enterOuterAlt(localctx, 2)
                self.state = 300
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
            self.state = 303
            _la = self._input.LA(1)
            if not(_la==54 or _la==55):
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
            self.state = 310
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [45, 52]:
                self.enterOuterAlt(localctx, 1)
                self.state = 306
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==45:
                    self.state = 305
                    self.match(GplParser.MINUS)


                self.state = 308
                self.match(GplParser.NUMBER)
                pass
            elif token in [53]:
                self.enterOuterAlt(localctx, 2)
                self.state = 309
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
            self.state = 312
            self.match(GplParser.EXPECT)
            self.state = 313
            self.anyName()
            self.state = 315
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==26:
                self.state = 314
                self.asRule()


            self.state = 326
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==25:
                self.state = 317
                self.match(GplParser.UNDER)
                self.state = 318
                self.load()
                self.state = 323
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==44:
                    self.state = 319
                    self.match(GplParser.COMMA)
                    self.state = 320
                    self.load()
                    self.state = 325
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 328
            self.match(GplParser.LBRACE)
            self.state = 332
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==53:
                self.state = 329
                self.claim()
                self.state = 334
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 335
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
            self.state = 337
            self.match(GplParser.AS)
            self.state = 338
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
            self.state = 340
            self.anyName()
            self.state = 341
            self.match(GplParser.NUMBER)
            self.state = 343
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==26:
                self.state = 342
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
            self.state = 345
            self.match(GplParser.WORD)
            self.state = 346
            self.match(GplParser.LPAREN)
            self.state = 347
            self.anyName()
            self.state = 349
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 9007216434610174) != 0):
                self.state = 348
                self.anyName()


            self.state = 351
            self.match(GplParser.RPAREN)
            self.state = 352
            self.comparator()
            self.state = 353
            self.scalar()
            self.state = 356
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==27:
                self.state = 354
                self.match(GplParser.OF)
                self.state = 355
                _la = self._input.LA(1)
                if not(_la==53 or _la==54):
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


    class PromiseBlockContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def PROMISE(self):
            return self.getToken(GplParser.PROMISE, 0)

        def anyName(self):
            return self.getTypedRuleContext(GplParser.AnyNameContext,0)


        def OVER(self):
            return self.getToken(GplParser.OVER, 0)

        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def LBRACE(self):
            return self.getToken(GplParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(GplParser.RBRACE, 0)

        def claim(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.ClaimContext)
            else:
                return self.getTypedRuleContext(GplParser.ClaimContext,i)


        def otherwise(self):
            return self.getTypedRuleContext(GplParser.OtherwiseContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_promiseBlock




    def promiseBlock(self):

        localctx = GplParser.PromiseBlockContext(self, self._ctx, self.state)
        self.enterRule(localctx, 72, self.RULE_promiseBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 358
            self.match(GplParser.PROMISE)
            self.state = 359
            self.anyName()
            self.state = 360
            self.match(GplParser.OVER)
            self.state = 361
            self.scalar()
            self.state = 362
            self.match(GplParser.LBRACE)
            self.state = 366
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==53:
                self.state = 363
                self.claim()
                self.state = 368
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 370
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==29:
                self.state = 369
                self.otherwise()


            self.state = 372
            self.match(GplParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class OtherwiseContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def ELSE(self):
            return self.getToken(GplParser.ELSE, 0)

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

        def getRuleIndex(self):
            return GplParser.RULE_otherwise




    def otherwise(self):

        localctx = GplParser.OtherwiseContext(self, self._ctx, self.state)
        self.enterRule(localctx, 74, self.RULE_otherwise)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 374
            self.match(GplParser.ELSE)
            self.state = 375
            self.match(GplParser.WORD)
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

        def PROMISE(self):
            return self.getToken(GplParser.PROMISE, 0)

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

        def OVER(self):
            return self.getToken(GplParser.OVER, 0)

        def ELSE(self):
            return self.getToken(GplParser.ELSE, 0)

        def getRuleIndex(self):
            return GplParser.RULE_anyName




    def anyName(self):

        localctx = GplParser.AnyNameContext(self, self._ctx, self.state)
        self.enterRule(localctx, 76, self.RULE_anyName)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 377
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 9007216434610174) != 0)):
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






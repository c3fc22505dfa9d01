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
        4,1,67,437,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,
        7,20,2,21,7,21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,
        2,27,7,27,2,28,7,28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,
        7,33,2,34,7,34,2,35,7,35,2,36,7,36,2,37,7,37,2,38,7,38,2,39,7,39,
        2,40,7,40,2,41,7,41,2,42,7,42,1,0,5,0,88,8,0,10,0,12,0,91,9,0,1,
        0,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3,1,104,8,1,1,2,1,2,1,
        2,1,2,5,2,110,8,2,10,2,12,2,113,9,2,1,2,3,2,116,8,2,1,3,1,3,3,3,
        120,8,3,1,3,1,3,3,3,124,8,3,1,4,1,4,1,4,1,5,1,5,1,5,1,5,1,5,1,5,
        1,5,1,5,1,5,1,6,1,6,1,6,1,6,1,6,3,6,143,8,6,1,7,1,7,1,7,1,7,5,7,
        149,8,7,10,7,12,7,152,9,7,1,7,1,7,1,8,1,8,1,8,5,8,159,8,8,10,8,12,
        8,162,9,8,1,8,1,8,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,3,
        9,177,8,9,1,10,1,10,1,10,1,11,1,11,1,11,1,12,1,12,1,12,1,13,1,13,
        1,13,1,13,3,13,192,8,13,1,14,1,14,1,14,1,14,5,14,198,8,14,10,14,
        12,14,201,9,14,1,14,3,14,204,8,14,1,15,1,15,1,15,3,15,209,8,15,1,
        16,1,16,1,16,3,16,214,8,16,1,16,1,16,1,16,1,16,1,16,3,16,221,8,16,
        1,17,1,17,1,17,1,18,1,18,1,18,1,19,1,19,1,20,1,20,1,21,1,21,1,21,
        3,21,236,8,21,1,21,1,21,3,21,240,8,21,3,21,242,8,21,1,22,1,22,1,
        22,5,22,247,8,22,10,22,12,22,250,9,22,1,23,5,23,253,8,23,10,23,12,
        23,256,9,23,1,23,1,23,1,24,1,24,1,24,1,24,1,24,3,24,265,8,24,1,25,
        1,25,3,25,269,8,25,1,25,1,25,1,25,1,25,3,25,275,8,25,3,25,277,8,
        25,1,25,1,25,1,25,3,25,282,8,25,1,26,1,26,1,27,1,27,1,27,3,27,289,
        8,27,1,27,1,27,3,27,293,8,27,1,28,1,28,1,28,1,28,5,28,299,8,28,10,
        28,12,28,302,9,28,1,28,3,28,305,8,28,3,28,307,8,28,1,28,1,28,1,29,
        1,29,3,29,313,8,29,1,30,1,30,1,31,3,31,318,8,31,1,31,1,31,3,31,322,
        8,31,1,32,1,32,1,32,3,32,327,8,32,1,32,1,32,1,32,1,32,5,32,333,8,
        32,10,32,12,32,336,9,32,3,32,338,8,32,1,32,1,32,5,32,342,8,32,10,
        32,12,32,345,9,32,1,32,1,32,1,33,1,33,1,33,1,34,1,34,1,34,3,34,355,
        8,34,1,35,1,35,1,35,1,35,3,35,361,8,35,1,35,1,35,1,35,1,35,1,35,
        3,35,368,8,35,1,36,1,36,1,36,1,36,1,36,1,36,5,36,376,8,36,10,36,
        12,36,379,9,36,1,36,3,36,382,8,36,1,36,1,36,1,37,1,37,1,37,1,38,
        1,38,1,38,1,38,5,38,393,8,38,10,38,12,38,396,9,38,1,38,1,38,1,39,
        1,39,5,39,402,8,39,10,39,12,39,405,9,39,1,39,1,39,1,39,1,40,3,40,
        411,8,40,1,40,1,40,5,40,415,8,40,10,40,12,40,418,9,40,1,40,1,40,
        3,40,422,8,40,1,40,1,40,3,40,426,8,40,1,41,1,41,3,41,430,8,41,1,
        41,3,41,433,8,41,1,42,1,42,1,42,0,0,43,0,2,4,6,8,10,12,14,16,18,
        20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62,
        64,66,68,70,72,74,76,78,80,82,84,0,5,1,0,32,33,3,0,26,26,31,31,35,
        43,1,0,56,57,1,0,55,56,2,0,1,34,55,55,461,0,89,1,0,0,0,2,103,1,0,
        0,0,4,105,1,0,0,0,6,117,1,0,0,0,8,125,1,0,0,0,10,128,1,0,0,0,12,
        137,1,0,0,0,14,144,1,0,0,0,16,155,1,0,0,0,18,176,1,0,0,0,20,178,
        1,0,0,0,22,181,1,0,0,0,24,184,1,0,0,0,26,187,1,0,0,0,28,193,1,0,
        0,0,30,205,1,0,0,0,32,210,1,0,0,0,34,222,1,0,0,0,36,225,1,0,0,0,
        38,228,1,0,0,0,40,230,1,0,0,0,42,241,1,0,0,0,44,243,1,0,0,0,46,254,
        1,0,0,0,48,264,1,0,0,0,50,266,1,0,0,0,52,283,1,0,0,0,54,292,1,0,
        0,0,56,294,1,0,0,0,58,312,1,0,0,0,60,314,1,0,0,0,62,321,1,0,0,0,
        64,323,1,0,0,0,66,348,1,0,0,0,68,351,1,0,0,0,70,356,1,0,0,0,72,369,
        1,0,0,0,74,385,1,0,0,0,76,388,1,0,0,0,78,399,1,0,0,0,80,410,1,0,
        0,0,82,432,1,0,0,0,84,434,1,0,0,0,86,88,3,2,1,0,87,86,1,0,0,0,88,
        91,1,0,0,0,89,87,1,0,0,0,89,90,1,0,0,0,90,92,1,0,0,0,91,89,1,0,0,
        0,92,93,5,0,0,1,93,1,1,0,0,0,94,104,3,4,2,0,95,104,3,8,4,0,96,104,
        3,10,5,0,97,104,3,12,6,0,98,104,3,14,7,0,99,104,3,16,8,0,100,104,
        3,64,32,0,101,104,3,72,36,0,102,104,3,76,38,0,103,94,1,0,0,0,103,
        95,1,0,0,0,103,96,1,0,0,0,103,97,1,0,0,0,103,98,1,0,0,0,103,99,1,
        0,0,0,103,100,1,0,0,0,103,101,1,0,0,0,103,102,1,0,0,0,104,3,1,0,
        0,0,105,106,5,1,0,0,106,115,3,84,42,0,107,111,5,52,0,0,108,110,3,
        6,3,0,109,108,1,0,0,0,110,113,1,0,0,0,111,109,1,0,0,0,111,112,1,
        0,0,0,112,114,1,0,0,0,113,111,1,0,0,0,114,116,5,53,0,0,115,107,1,
        0,0,0,115,116,1,0,0,0,116,5,1,0,0,0,117,119,5,55,0,0,118,120,3,52,
        26,0,119,118,1,0,0,0,119,120,1,0,0,0,120,123,1,0,0,0,121,124,3,62,
        31,0,122,124,5,12,0,0,123,121,1,0,0,0,123,122,1,0,0,0,124,7,1,0,
        0,0,125,126,5,2,0,0,126,127,5,56,0,0,127,9,1,0,0,0,128,129,5,3,0,
        0,129,130,5,55,0,0,130,131,5,43,0,0,131,132,3,62,31,0,132,133,5,
        31,0,0,133,134,3,62,31,0,134,135,5,44,0,0,135,136,3,62,31,0,136,
        11,1,0,0,0,137,138,5,4,0,0,138,139,5,55,0,0,139,142,5,43,0,0,140,
        143,3,56,28,0,141,143,3,44,22,0,142,140,1,0,0,0,142,141,1,0,0,0,
        143,13,1,0,0,0,144,145,5,5,0,0,145,146,3,84,42,0,146,150,5,52,0,
        0,147,149,3,18,9,0,148,147,1,0,0,0,149,152,1,0,0,0,150,148,1,0,0,
        0,150,151,1,0,0,0,151,153,1,0,0,0,152,150,1,0,0,0,153,154,5,53,0,
        0,154,15,1,0,0,0,155,156,5,6,0,0,156,160,5,52,0,0,157,159,3,18,9,
        0,158,157,1,0,0,0,159,162,1,0,0,0,160,158,1,0,0,0,160,161,1,0,0,
        0,161,163,1,0,0,0,162,160,1,0,0,0,163,164,5,53,0,0,164,17,1,0,0,
        0,165,177,3,20,10,0,166,177,3,22,11,0,167,177,3,24,12,0,168,177,
        3,26,13,0,169,177,3,28,14,0,170,177,3,30,15,0,171,177,3,32,16,0,
        172,177,3,34,17,0,173,177,3,36,18,0,174,177,3,38,19,0,175,177,3,
        40,20,0,176,165,1,0,0,0,176,166,1,0,0,0,176,167,1,0,0,0,176,168,
        1,0,0,0,176,169,1,0,0,0,176,170,1,0,0,0,176,171,1,0,0,0,176,172,
        1,0,0,0,176,173,1,0,0,0,176,174,1,0,0,0,176,175,1,0,0,0,177,19,1,
        0,0,0,178,179,5,10,0,0,179,180,3,44,22,0,180,21,1,0,0,0,181,182,
        5,11,0,0,182,183,5,55,0,0,183,23,1,0,0,0,184,185,5,12,0,0,185,186,
        3,62,31,0,186,25,1,0,0,0,187,188,5,13,0,0,188,191,3,62,31,0,189,
        190,5,44,0,0,190,192,3,62,31,0,191,189,1,0,0,0,191,192,1,0,0,0,192,
        27,1,0,0,0,193,194,5,14,0,0,194,199,3,42,21,0,195,196,5,46,0,0,196,
        198,3,42,21,0,197,195,1,0,0,0,198,201,1,0,0,0,199,197,1,0,0,0,199,
        200,1,0,0,0,200,203,1,0,0,0,201,199,1,0,0,0,202,204,5,55,0,0,203,
        202,1,0,0,0,203,204,1,0,0,0,204,29,1,0,0,0,205,206,5,15,0,0,206,
        208,5,55,0,0,207,209,5,55,0,0,208,207,1,0,0,0,208,209,1,0,0,0,209,
        31,1,0,0,0,210,213,5,16,0,0,211,212,5,21,0,0,212,214,3,62,31,0,213,
        211,1,0,0,0,213,214,1,0,0,0,214,220,1,0,0,0,215,216,5,22,0,0,216,
        217,3,62,31,0,217,218,5,23,0,0,218,219,3,62,31,0,219,221,1,0,0,0,
        220,215,1,0,0,0,220,221,1,0,0,0,221,33,1,0,0,0,222,223,5,17,0,0,
        223,224,3,62,31,0,224,35,1,0,0,0,225,226,5,18,0,0,226,227,3,62,31,
        0,227,37,1,0,0,0,228,229,5,19,0,0,229,39,1,0,0,0,230,231,5,20,0,
        0,231,41,1,0,0,0,232,235,5,54,0,0,233,234,5,47,0,0,234,236,5,54,
        0,0,235,233,1,0,0,0,235,236,1,0,0,0,236,242,1,0,0,0,237,239,5,55,
        0,0,238,240,5,54,0,0,239,238,1,0,0,0,239,240,1,0,0,0,240,242,1,0,
        0,0,241,232,1,0,0,0,241,237,1,0,0,0,242,43,1,0,0,0,243,248,3,46,
        23,0,244,245,7,0,0,0,245,247,3,46,23,0,246,244,1,0,0,0,247,250,1,
        0,0,0,248,246,1,0,0,0,248,249,1,0,0,0,249,45,1,0,0,0,250,248,1,0,
        0,0,251,253,5,34,0,0,252,251,1,0,0,0,253,256,1,0,0,0,254,252,1,0,
        0,0,254,255,1,0,0,0,255,257,1,0,0,0,256,254,1,0,0,0,257,258,3,48,
        24,0,258,47,1,0,0,0,259,260,5,48,0,0,260,261,3,44,22,0,261,262,5,
        49,0,0,262,265,1,0,0,0,263,265,3,50,25,0,264,259,1,0,0,0,264,263,
        1,0,0,0,265,49,1,0,0,0,266,268,5,55,0,0,267,269,5,56,0,0,268,267,
        1,0,0,0,268,269,1,0,0,0,269,276,1,0,0,0,270,271,5,24,0,0,271,274,
        3,62,31,0,272,273,5,25,0,0,273,275,5,55,0,0,274,272,1,0,0,0,274,
        275,1,0,0,0,275,277,1,0,0,0,276,270,1,0,0,0,276,277,1,0,0,0,277,
        281,1,0,0,0,278,279,3,52,26,0,279,280,3,54,27,0,280,282,1,0,0,0,
        281,278,1,0,0,0,281,282,1,0,0,0,282,51,1,0,0,0,283,284,7,1,0,0,284,
        53,1,0,0,0,285,288,3,62,31,0,286,287,5,44,0,0,287,289,3,62,31,0,
        288,286,1,0,0,0,288,289,1,0,0,0,289,293,1,0,0,0,290,293,3,60,30,
        0,291,293,3,56,28,0,292,285,1,0,0,0,292,290,1,0,0,0,292,291,1,0,
        0,0,293,55,1,0,0,0,294,306,5,50,0,0,295,300,3,58,29,0,296,297,5,
        46,0,0,297,299,3,58,29,0,298,296,1,0,0,0,299,302,1,0,0,0,300,298,
        1,0,0,0,300,301,1,0,0,0,301,304,1,0,0,0,302,300,1,0,0,0,303,305,
        5,46,0,0,304,303,1,0,0,0,304,305,1,0,0,0,305,307,1,0,0,0,306,295,
        1,0,0,0,306,307,1,0,0,0,307,308,1,0,0,0,308,309,5,51,0,0,309,57,
        1,0,0,0,310,313,3,60,30,0,311,313,3,62,31,0,312,310,1,0,0,0,312,
        311,1,0,0,0,313,59,1,0,0,0,314,315,7,2,0,0,315,61,1,0,0,0,316,318,
        5,47,0,0,317,316,1,0,0,0,317,318,1,0,0,0,318,319,1,0,0,0,319,322,
        5,54,0,0,320,322,5,55,0,0,321,317,1,0,0,0,321,320,1,0,0,0,322,63,
        1,0,0,0,323,324,5,7,0,0,324,326,3,84,42,0,325,327,3,66,33,0,326,
        325,1,0,0,0,326,327,1,0,0,0,327,337,1,0,0,0,328,329,5,26,0,0,329,
        334,3,68,34,0,330,331,5,46,0,0,331,333,3,68,34,0,332,330,1,0,0,0,
        333,336,1,0,0,0,334,332,1,0,0,0,334,335,1,0,0,0,335,338,1,0,0,0,
        336,334,1,0,0,0,337,328,1,0,0,0,337,338,1,0,0,0,338,339,1,0,0,0,
        339,343,5,52,0,0,340,342,3,70,35,0,341,340,1,0,0,0,342,345,1,0,0,
        0,343,341,1,0,0,0,343,344,1,0,0,0,344,346,1,0,0,0,345,343,1,0,0,
        0,346,347,5,53,0,0,347,65,1,0,0,0,348,349,5,27,0,0,349,350,3,84,
        42,0,350,67,1,0,0,0,351,352,3,84,42,0,352,354,5,54,0,0,353,355,3,
        66,33,0,354,353,1,0,0,0,354,355,1,0,0,0,355,69,1,0,0,0,356,357,5,
        55,0,0,357,358,5,48,0,0,358,360,3,84,42,0,359,361,3,84,42,0,360,
        359,1,0,0,0,360,361,1,0,0,0,361,362,1,0,0,0,362,363,5,49,0,0,363,
        364,3,52,26,0,364,367,3,62,31,0,365,366,5,28,0,0,366,368,7,3,0,0,
        367,365,1,0,0,0,367,368,1,0,0,0,368,71,1,0,0,0,369,370,5,8,0,0,370,
        371,3,84,42,0,371,372,5,29,0,0,372,373,3,62,31,0,373,377,5,52,0,
        0,374,376,3,70,35,0,375,374,1,0,0,0,376,379,1,0,0,0,377,375,1,0,
        0,0,377,378,1,0,0,0,378,381,1,0,0,0,379,377,1,0,0,0,380,382,3,74,
        37,0,381,380,1,0,0,0,381,382,1,0,0,0,382,383,1,0,0,0,383,384,5,53,
        0,0,384,73,1,0,0,0,385,386,5,30,0,0,386,387,5,55,0,0,387,75,1,0,
        0,0,388,389,5,9,0,0,389,390,5,56,0,0,390,394,5,52,0,0,391,393,3,
        78,39,0,392,391,1,0,0,0,393,396,1,0,0,0,394,392,1,0,0,0,394,395,
        1,0,0,0,395,397,1,0,0,0,396,394,1,0,0,0,397,398,5,53,0,0,398,77,
        1,0,0,0,399,403,3,80,40,0,400,402,3,80,40,0,401,400,1,0,0,0,402,
        405,1,0,0,0,403,401,1,0,0,0,403,404,1,0,0,0,404,406,1,0,0,0,405,
        403,1,0,0,0,406,407,5,45,0,0,407,408,3,84,42,0,408,79,1,0,0,0,409,
        411,5,34,0,0,410,409,1,0,0,0,410,411,1,0,0,0,411,412,1,0,0,0,412,
        416,5,55,0,0,413,415,3,82,41,0,414,413,1,0,0,0,415,418,1,0,0,0,416,
        414,1,0,0,0,416,417,1,0,0,0,417,421,1,0,0,0,418,416,1,0,0,0,419,
        420,5,24,0,0,420,422,3,62,31,0,421,419,1,0,0,0,421,422,1,0,0,0,422,
        425,1,0,0,0,423,424,5,25,0,0,424,426,5,55,0,0,425,423,1,0,0,0,425,
        426,1,0,0,0,426,81,1,0,0,0,427,433,3,60,30,0,428,430,5,47,0,0,429,
        428,1,0,0,0,429,430,1,0,0,0,430,431,1,0,0,0,431,433,5,54,0,0,432,
        427,1,0,0,0,432,429,1,0,0,0,433,83,1,0,0,0,434,435,7,4,0,0,435,85,
        1,0,0,0,51,89,103,111,115,119,123,142,150,160,176,191,199,203,208,
        213,220,235,239,241,248,254,264,268,274,276,281,288,292,300,304,
        306,312,317,321,326,334,337,343,354,360,367,377,381,394,403,410,
        416,421,425,429,432
    ]

class GplParser ( Parser ):

    grammarFileName = "Gpl.g4"

    atn = ATNDeserializer().deserialize(serializedATN())

    decisionsToDFA = [ DFA(ds, i) for i, ds in enumerate(atn.decisionToState) ]

    sharedContextCache = PredictionContextCache()

    literalNames = [ "<INVALID>", "'policy'", "'include'", "'tunable'", 
                     "'set'", "'rule'", "'default'", "'expect'", "'promise'", 
                     "'test'", "'match'", "'priority'", "'weight'", "'slice'", 
                     "'cpus'", "'migrate'", "'preempt'", "'max-wait'", "'perf'", 
                     "'inherit'", "'monitor'", "'after'", "'budget'", "'per'", 
                     "'within'", "'via'", "'under'", "'as'", "'of'", "'over'", 
                     "'else'", "'in'", "'and'", "'or'", "'not'", "'=='", 
                     "'!='", "'<='", "'>='", "'<'", "'>'", "'=~'", "'~'", 
                     "'='", "'..'", "'->'", "','", "'-'", "'('", "')'", 
                     "'['", "']'", "'{'", "'}'", "<INVALID>", "<INVALID>", 
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>", 
                     "'&&'", "'||'", "'!'", "'!~'" ]

    symbolicNames = [ "<INVALID>", "POLICY", "INCLUDE", "TUNABLE", "SET", 
                      "RULE", "DEFAULT", "EXPECT", "PROMISE", "TEST", "MATCH", 
                      "PRIORITY", "WEIGHT", "SLICE", "CPUS", "MIGRATE", 
                      "PREEMPT", "MAX_WAIT", "PERF", "INHERIT", "MONITOR", 
                      "AFTER", "BUDGET", "PER", "WITHIN", "VIA", "UNDER", 
                      "AS", "OF", "OVER", "ELSE", "IN", "AND", "OR", "NOT", 
                      "EQ", "NE", "LE", "GE", "LT", "GT", "REGEX", "GLOB", 
                      "ASSIGN", "DOTS", "ARROW", "COMMA", "MINUS", "LPAREN", 
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
    RULE_promiseBlock = 36
    RULE_otherwise = 37
    RULE_testBlock = 38
    RULE_testLine = 39
    RULE_fact = 40
    RULE_factValue = 41
    RULE_anyName = 42

    ruleNames =  [ "policyFile", "item", "policyBlock", "policySetting", 
                   "includeItem", "tunableItem", "setItem", "ruleBlock", 
                   "defaultBlock", "statement", "matchStatement", "priorityStatement", 
                   "weightStatement", "sliceStatement", "cpusStatement", 
                   "migrateStatement", "preemptStatement", "maxWaitStatement", 
                   "perfStatement", "inheritStatement", "monitorStatement", 
                   "cpuTerm", "expression", "unary", "primary", "comparison", 
                   "comparator", "operand", "listLiteral", "element", "text", 
                   "scalar", "expectBlock", "asRule", "load", "claim", "promiseBlock", 
                   "otherwise", "testBlock", "testLine", "fact", "factValue", 
                   "anyName" ]

    EOF = Token.EOF
    POLICY=1
    INCLUDE=2
    TUNABLE=3
    SET=4
    RULE=5
    DEFAULT=6
    EXPECT=7
    PROMISE=8
    TEST=9
    MATCH=10
    PRIORITY=11
    WEIGHT=12
    SLICE=13
    CPUS=14
    MIGRATE=15
    PREEMPT=16
    MAX_WAIT=17
    PERF=18
    INHERIT=19
    MONITOR=20
    AFTER=21
    BUDGET=22
    PER=23
    WITHIN=24
    VIA=25
    UNDER=26
    AS=27
    OF=28
    OVER=29
    ELSE=30
    IN=31
    AND=32
    OR=33
    NOT=34
    EQ=35
    NE=36
    LE=37
    GE=38
    LT=39
    GT=40
    REGEX=41
    GLOB=42
    ASSIGN=43
    DOTS=44
    ARROW=45
    COMMA=46
    MINUS=47
    LPAREN=48
    RPAREN=49
    LBRACKET=50
    RBRACKET=51
    LBRACE=52
    RBRACE=53
    NUMBER=54
    WORD=55
    STRING=56
    RAW=57
    COMMENT=58
    BLANK=59
    C_AND=60
    C_OR=61
    C_NOT=62
    C_NOT_GLOB=63
    C_COMMENT=64
    OPEN_STRING=65
    OPEN_RAW=66
    ODD=67

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
            self.state = 89
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 1022) != 0):
                self.state = 86
                self.item()
                self.state = 91
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 92
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


        def testBlock(self):
            return self.getTypedRuleContext(GplParser.TestBlockContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_item




    def item(self):

        localctx = GplParser.ItemContext(self, self._ctx, self.state)
        self.enterRule(localctx, 2, self.RULE_item)
        try:
            self.state = 103
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [1]:
                self.enterOuterAlt(localctx, 1)
                self.state = 94
                self.policyBlock()
                pass
            elif token in [2]:
                self.enterOuterAlt(localctx, 2)
                self.state = 95
                self.includeItem()
                pass
            elif token in [3]:
                self.enterOuterAlt(localctx, 3)
                self.state = 96
                self.tunableItem()
                pass
            elif token in [4]:
                self.enterOuterAlt(localctx, 4)
                self.state = 97
                self.setItem()
                pass
            elif token in [5]:
                self.enterOuterAlt(localctx, 5)
                self.state = 98
                self.ruleBlock()
                pass
            elif token in [6]:
                self.enterOuterAlt(localctx, 6)
                self.state = 99
                self.defaultBlock()
                pass
            elif token in [7]:
                self.enterOuterAlt(localctx, 7)
                self.state = 100
                self.expectBlock()
                pass
            elif token in [8]:
                self.enterOuterAlt(localctx, 8)
                self.state = 101
                self.promiseBlock()
                pass
            elif token in [9]:
                self.enterOuterAlt(localctx, 9)
                self.state = 102
                self.testBlock()
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
            self.state = 105
            self.match(GplParser.POLICY)
            self.state = 106
            self.anyName()
            self.state = 115
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==52:
                self.state = 107
                self.match(GplParser.LBRACE)
                self.state = 111
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==55:
                    self.state = 108
                    self.policySetting()
                    self.state = 113
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 114
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


        def WEIGHT(self):
            return self.getToken(GplParser.WEIGHT, 0)

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
            self.state = 117
            self.match(GplParser.WORD)
            self.state = 119
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 17560040898560) != 0):
                self.state = 118
                self.comparator()


            self.state = 123
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [47, 54, 55]:
                self.state = 121
                self.scalar()
                pass
            elif token in [12]:
                self.state = 122
                self.match(GplParser.WEIGHT)
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
            self.state = 125
            self.match(GplParser.INCLUDE)
            self.state = 126
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
            self.state = 128
            self.match(GplParser.TUNABLE)
            self.state = 129
            self.match(GplParser.WORD)
            self.state = 130
            self.match(GplParser.ASSIGN)
            self.state = 131
            self.scalar()
            self.state = 132
            self.match(GplParser.IN)
            self.state = 133
            self.scalar()
            self.state = 134
            self.match(GplParser.DOTS)
            self.state = 135
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
            self.state = 137
            self.match(GplParser.SET)
            self.state = 138
            self.match(GplParser.WORD)
            self.state = 139
            self.match(GplParser.ASSIGN)
            self.state = 142
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [50]:
                self.state = 140
                self.listLiteral()
                pass
            elif token in [34, 48, 55]:
                self.state = 141
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
            self.state = 144
            self.match(GplParser.RULE)
            self.state = 145
            self.anyName()
            self.state = 146
            self.match(GplParser.LBRACE)
            self.state = 150
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 2096128) != 0):
                self.state = 147
                self.statement()
                self.state = 152
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 153
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
            self.state = 155
            self.match(GplParser.DEFAULT)
            self.state = 156
            self.match(GplParser.LBRACE)
            self.state = 160
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 2096128) != 0):
                self.state = 157
                self.statement()
                self.state = 162
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 163
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
            self.state = 176
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [10]:
                self.enterOuterAlt(localctx, 1)
                self.state = 165
                self.matchStatement()
                pass
            elif token in [11]:
                self.enterOuterAlt(localctx, 2)
                self.state = 166
                self.priorityStatement()
                pass
            elif token in [12]:
                self.enterOuterAlt(localctx, 3)
                self.state = 167
                self.weightStatement()
                pass
            elif token in [13]:
                self.enterOuterAlt(localctx, 4)
                self.state = 168
                self.sliceStatement()
                pass
            elif token in [14]:
                self.enterOuterAlt(localctx, 5)
                self.state = 169
                self.cpusStatement()
                pass
            elif token in [15]:
                self.enterOuterAlt(localctx, 6)
                self.state = 170
                self.migrateStatement()
                pass
            elif token in [16]:
                self.enterOuterAlt(localctx, 7)
                self.state = 171
                self.preemptStatement()
                pass
            elif token in [17]:
                self.enterOuterAlt(localctx, 8)
                self.state = 172
                self.maxWaitStatement()
                pass
            elif token in [18]:
                self.enterOuterAlt(localctx, 9)
                self.state = 173
                self.perfStatement()
                pass
            elif token in [19]:
                self.enterOuterAlt(localctx, 10)
                self.state = 174
                self.inheritStatement()
                pass
            elif token in [20]:
                self.enterOuterAlt(localctx, 11)
                self.state = 175
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
            self.state = 178
            self.match(GplParser.MATCH)
            self.state = 179
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
            self.state = 181
            self.match(GplParser.PRIORITY)
            self.state = 182
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
            self.state = 184
            self.match(GplParser.WEIGHT)
            self.state = 185
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
            self.state = 187
            self.match(GplParser.SLICE)
            self.state = 188
            self.scalar()
            self.state = 191
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==44:
                self.state = 189
                self.match(GplParser.DOTS)
                self.state = 190
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
            self.state = 193
            self.match(GplParser.CPUS)
            self.state = 194
            self.cpuTerm()
            self.state = 199
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==46:
                self.state = 195
                self.match(GplParser.COMMA)
                self.state = 196
                self.cpuTerm()
                self.state = 201
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 203
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==55:
                self.state = 202
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
            self.state = 205
            self.match(GplParser.MIGRATE)
            self.state = 206
            self.match(GplParser.WORD)
            self.state = 208
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==55:
                self.state = 207
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
            self.state = 210
            self.match(GplParser.PREEMPT)
            self.state = 213
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==21:
                self.state = 211
                self.match(GplParser.AFTER)
                self.state = 212
                self.scalar()


            self.state = 220
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==22:
                self.state = 215
                self.match(GplParser.BUDGET)
                self.state = 216
                self.scalar()
                self.state = 217
                self.match(GplParser.PER)
                self.state = 218
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
            self.state = 222
            self.match(GplParser.MAX_WAIT)
            self.state = 223
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
            self.state = 225
            self.match(GplParser.PERF)
            self.state = 226
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
            self.state = 228
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
            self.state = 230
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
            self.state = 241
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [54]:
                self.enterOuterAlt(localctx, 1)
                self.state = 232
                self.match(GplParser.NUMBER)
                self.state = 235
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==47:
                    self.state = 233
                    self.match(GplParser.MINUS)
                    self.state = 234
                    self.match(GplParser.NUMBER)


                pass
            elif token in [55]:
                self.enterOuterAlt(localctx, 2)
                self.state = 237
                self.match(GplParser.WORD)
                self.state = 239
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==54:
                    self.state = 238
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
            self.state = 243
            self.unary()
            self.state = 248
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==32 or _la==33:
                self.state = 244
                _la = self._input.LA(1)
                if not(_la==32 or _la==33):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 245
                self.unary()
                self.state = 250
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
            self.state = 254
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==34:
                self.state = 251
                self.match(GplParser.NOT)
                self.state = 256
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 257
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
            self.state = 264
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [48]:
                self.enterOuterAlt(localctx, 1)
                self.state = 259
                self.match(GplParser.LPAREN)
                self.state = 260
                self.expression()
                self.state = 261
                self.match(GplParser.RPAREN)
                pass
            elif token in [55]:
                self.enterOuterAlt(localctx, 2)
                self.state = 263
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
            self.state = 266
            self.match(GplParser.WORD)
            self.state = 268
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==56:
                self.state = 267
                self.match(GplParser.STRING)


            self.state = 276
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==24:
                self.state = 270
                self.match(GplParser.WITHIN)
                self.state = 271
                self.scalar()
                self.state = 274
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==25:
                    self.state = 272
                    self.match(GplParser.VIA)
                    self.state = 273
                    self.match(GplParser.WORD)




            self.state = 281
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 17560040898560) != 0):
                self.state = 278
                self.comparator()
                self.state = 279
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
            self.state = 283
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 17560040898560) != 0)):
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
            self.state = 292
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [47, 54, 55]:
                self.enterOuterAlt(localctx, 1)
                self.state = 285
                self.scalar()
                self.state = 288
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==44:
                    self.state = 286
                    self.match(GplParser.DOTS)
                    self.state = 287
                    self.scalar()


                pass
            elif token in [56, 57]:
                self.enterOuterAlt(localctx, 2)
                self.state = 290
                self.text()
                pass
            elif token in [50]:
                self.enterOuterAlt(localctx, 3)
                self.state = 291
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
            self.state = 294
            self.match(GplParser.LBRACKET)
            self.state = 306
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 270356715130585088) != 0):
                self.state = 295
                self.element()
                self.state = 300
                self._errHandler.sync(self)
                _alt = self._interp.adaptivePredict(self._input,28,self._ctx)
                while _alt!=2 and _alt!=ATN.INVALID_ALT_NUMBER:
                    if _alt==1:
                        self.state = 296
                        self.match(GplParser.COMMA)
                        self.state = 297
                        self.element() 
                    self.state = 302
                    self._errHandler.sync(self)
                    _alt = self._interp.adaptivePredict(self._input,28,self._ctx)

                self.state = 304
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==46:
                    self.state = 303
                    self.match(GplParser.COMMA)




            self.state = 308
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
            self.state = 312
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [56, 57]:
                self.enterOuterAlt(localctx, 1)
                self.state = 310
                self.text()
                pass
            elif token in [47, 54, 55]:
                self.enterOuterAlt(localctx, 2)
                self.state = 311
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
            self.state = 314
            _la = self._input.LA(1)
            if not(_la==56 or _la==57):
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
            self.state = 321
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [47, 54]:
                self.enterOuterAlt(localctx, 1)
                self.state = 317
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==47:
                    self.state = 316
                    self.match(GplParser.MINUS)


                self.state = 319
                self.match(GplParser.NUMBER)
                pass
            elif token in [55]:
                self.enterOuterAlt(localctx, 2)
                self.state = 320
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
            self.state = 323
            self.match(GplParser.EXPECT)
            self.state = 324
            self.anyName()
            self.state = 326
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==27:
                self.state = 325
                self.asRule()


            self.state = 337
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==26:
                self.state = 328
                self.match(GplParser.UNDER)
                self.state = 329
                self.load()
                self.state = 334
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==46:
                    self.state = 330
                    self.match(GplParser.COMMA)
                    self.state = 331
                    self.load()
                    self.state = 336
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 339
            self.match(GplParser.LBRACE)
            self.state = 343
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==55:
                self.state = 340
                self.claim()
                self.state = 345
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 346
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
            self.state = 348
            self.match(GplParser.AS)
            self.state = 349
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
            self.state = 351
            self.anyName()
            self.state = 352
            self.match(GplParser.NUMBER)
            self.state = 354
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==27:
                self.state = 353
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
            self.state = 356
            self.match(GplParser.WORD)
            self.state = 357
            self.match(GplParser.LPAREN)
            self.state = 358
            self.anyName()
            self.state = 360
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 36028831378702334) != 0):
                self.state = 359
                self.anyName()


            self.state = 362
            self.match(GplParser.RPAREN)
            self.state = 363
            self.comparator()
            self.state = 364
            self.scalar()
            self.state = 367
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==28:
                self.state = 365
                self.match(GplParser.OF)
                self.state = 366
                _la = self._input.LA(1)
                if not(_la==55 or _la==56):
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
            self.state = 369
            self.match(GplParser.PROMISE)
            self.state = 370
            self.anyName()
            self.state = 371
            self.match(GplParser.OVER)
            self.state = 372
            self.scalar()
            self.state = 373
            self.match(GplParser.LBRACE)
            self.state = 377
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==55:
                self.state = 374
                self.claim()
                self.state = 379
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 381
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==30:
                self.state = 380
                self.otherwise()


            self.state = 383
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
            self.state = 385
            self.match(GplParser.ELSE)
            self.state = 386
            self.match(GplParser.WORD)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TestBlockContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def TEST(self):
            return self.getToken(GplParser.TEST, 0)

        def STRING(self):
            return self.getToken(GplParser.STRING, 0)

        def LBRACE(self):
            return self.getToken(GplParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(GplParser.RBRACE, 0)

        def testLine(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.TestLineContext)
            else:
                return self.getTypedRuleContext(GplParser.TestLineContext,i)


        def getRuleIndex(self):
            return GplParser.RULE_testBlock




    def testBlock(self):

        localctx = GplParser.TestBlockContext(self, self._ctx, self.state)
        self.enterRule(localctx, 76, self.RULE_testBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 388
            self.match(GplParser.TEST)
            self.state = 389
            self.match(GplParser.STRING)
            self.state = 390
            self.match(GplParser.LBRACE)
            self.state = 394
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==34 or _la==55:
                self.state = 391
                self.testLine()
                self.state = 396
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 397
            self.match(GplParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class TestLineContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def fact(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.FactContext)
            else:
                return self.getTypedRuleContext(GplParser.FactContext,i)


        def ARROW(self):
            return self.getToken(GplParser.ARROW, 0)

        def anyName(self):
            return self.getTypedRuleContext(GplParser.AnyNameContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_testLine




    def testLine(self):

        localctx = GplParser.TestLineContext(self, self._ctx, self.state)
        self.enterRule(localctx, 78, self.RULE_testLine)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 399
            self.fact()
            self.state = 403
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==34 or _la==55:
                self.state = 400
                self.fact()
                self.state = 405
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 406
            self.match(GplParser.ARROW)
            self.state = 407
            self.anyName()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class FactContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def WORD(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.WORD)
            else:
                return self.getToken(GplParser.WORD, i)

        def NOT(self):
            return self.getToken(GplParser.NOT, 0)

        def factValue(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.FactValueContext)
            else:
                return self.getTypedRuleContext(GplParser.FactValueContext,i)


        def WITHIN(self):
            return self.getToken(GplParser.WITHIN, 0)

        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def VIA(self):
            return self.getToken(GplParser.VIA, 0)

        def getRuleIndex(self):
            return GplParser.RULE_fact




    def fact(self):

        localctx = GplParser.FactContext(self, self._ctx, self.state)
        self.enterRule(localctx, 80, self.RULE_fact)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 410
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==34:
                self.state = 409
                self.match(GplParser.NOT)


            self.state = 412
            self.match(GplParser.WORD)
            self.state = 416
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 234327918111621120) != 0):
                self.state = 413
                self.factValue()
                self.state = 418
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 421
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==24:
                self.state = 419
                self.match(GplParser.WITHIN)
                self.state = 420
                self.scalar()


            self.state = 425
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==25:
                self.state = 423
                self.match(GplParser.VIA)
                self.state = 424
                self.match(GplParser.WORD)


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class FactValueContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def text(self):
            return self.getTypedRuleContext(GplParser.TextContext,0)


        def NUMBER(self):
            return self.getToken(GplParser.NUMBER, 0)

        def MINUS(self):
            return self.getToken(GplParser.MINUS, 0)

        def getRuleIndex(self):
            return GplParser.RULE_factValue




    def factValue(self):

        localctx = GplParser.FactValueContext(self, self._ctx, self.state)
        self.enterRule(localctx, 82, self.RULE_factValue)
        self._la = 0 # Token type
        try:
            self.state = 432
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [56, 57]:
                self.enterOuterAlt(localctx, 1)
                self.state = 427
                self.text()
                pass
            elif token in [47, 54]:
                self.enterOuterAlt(localctx, 2)
                self.state = 429
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==47:
                    self.state = 428
                    self.match(GplParser.MINUS)


                self.state = 431
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

        def TEST(self):
            return self.getToken(GplParser.TEST, 0)

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
        self.enterRule(localctx, 84, self.RULE_anyName)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 434
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 36028831378702334) != 0)):
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






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
        4,1,67,452,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,
        7,20,2,21,7,21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,
        2,27,7,27,2,28,7,28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,
        7,33,2,34,7,34,2,35,7,35,2,36,7,36,2,37,7,37,2,38,7,38,2,39,7,39,
        2,40,7,40,2,41,7,41,2,42,7,42,2,43,7,43,1,0,5,0,90,8,0,10,0,12,0,
        93,9,0,1,0,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3,1,106,8,1,1,
        2,1,2,1,2,1,2,5,2,112,8,2,10,2,12,2,115,9,2,1,2,3,2,118,8,2,1,3,
        1,3,3,3,122,8,3,1,3,1,3,3,3,126,8,3,1,4,1,4,1,4,1,5,1,5,1,5,1,5,
        1,5,1,5,1,5,1,5,1,5,1,6,1,6,1,6,1,6,1,6,3,6,145,8,6,1,7,1,7,1,7,
        1,7,5,7,151,8,7,10,7,12,7,154,9,7,1,7,1,7,1,8,1,8,1,8,5,8,161,8,
        8,10,8,12,8,164,9,8,1,8,1,8,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,
        1,9,1,9,3,9,179,8,9,1,10,1,10,1,10,1,11,1,11,1,11,1,12,1,12,1,12,
        1,13,1,13,1,13,1,13,3,13,194,8,13,1,14,1,14,1,14,1,14,5,14,200,8,
        14,10,14,12,14,203,9,14,1,14,1,14,3,14,207,8,14,3,14,209,8,14,1,
        15,1,15,1,15,3,15,214,8,15,1,16,1,16,1,16,3,16,219,8,16,1,16,1,16,
        1,16,1,16,1,16,3,16,226,8,16,1,17,1,17,1,17,1,18,1,18,1,18,1,19,
        1,19,1,20,1,20,1,21,1,21,1,21,1,21,1,21,3,21,243,8,21,1,21,3,21,
        246,8,21,1,21,1,21,3,21,250,8,21,3,21,252,8,21,1,22,1,22,1,22,5,
        22,257,8,22,10,22,12,22,260,9,22,1,23,5,23,263,8,23,10,23,12,23,
        266,9,23,1,23,1,23,1,24,1,24,1,24,1,24,1,24,3,24,275,8,24,1,25,1,
        25,1,25,3,25,280,8,25,1,25,1,25,1,25,1,25,3,25,286,8,25,3,25,288,
        8,25,1,25,1,25,1,25,3,25,293,8,25,1,26,1,26,1,26,1,26,1,27,1,27,
        1,28,1,28,1,28,3,28,304,8,28,1,28,1,28,3,28,308,8,28,1,29,1,29,1,
        29,1,29,5,29,314,8,29,10,29,12,29,317,9,29,1,29,3,29,320,8,29,3,
        29,322,8,29,1,29,1,29,1,30,1,30,3,30,328,8,30,1,31,1,31,1,32,3,32,
        333,8,32,1,32,1,32,3,32,337,8,32,1,33,1,33,1,33,3,33,342,8,33,1,
        33,1,33,1,33,1,33,5,33,348,8,33,10,33,12,33,351,9,33,3,33,353,8,
        33,1,33,1,33,5,33,357,8,33,10,33,12,33,360,9,33,1,33,1,33,1,34,1,
        34,1,34,1,35,1,35,1,35,3,35,370,8,35,1,36,1,36,1,36,1,36,3,36,376,
        8,36,1,36,1,36,1,36,1,36,1,36,3,36,383,8,36,1,37,1,37,1,37,1,37,
        1,37,1,37,5,37,391,8,37,10,37,12,37,394,9,37,1,37,3,37,397,8,37,
        1,37,1,37,1,38,1,38,1,38,1,39,1,39,1,39,1,39,5,39,408,8,39,10,39,
        12,39,411,9,39,1,39,1,39,1,40,1,40,5,40,417,8,40,10,40,12,40,420,
        9,40,1,40,1,40,1,40,1,41,3,41,426,8,41,1,41,1,41,5,41,430,8,41,10,
        41,12,41,433,9,41,1,41,1,41,3,41,437,8,41,1,41,1,41,3,41,441,8,41,
        1,42,1,42,3,42,445,8,42,1,42,3,42,448,8,42,1,43,1,43,1,43,0,0,44,
        0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,
        46,48,50,52,54,56,58,60,62,64,66,68,70,72,74,76,78,80,82,84,86,0,
        6,2,0,54,54,56,56,1,0,32,33,3,0,26,26,31,31,35,43,1,0,56,57,1,0,
        55,56,2,0,1,34,55,55,479,0,91,1,0,0,0,2,105,1,0,0,0,4,107,1,0,0,
        0,6,119,1,0,0,0,8,127,1,0,0,0,10,130,1,0,0,0,12,139,1,0,0,0,14,146,
        1,0,0,0,16,157,1,0,0,0,18,178,1,0,0,0,20,180,1,0,0,0,22,183,1,0,
        0,0,24,186,1,0,0,0,26,189,1,0,0,0,28,195,1,0,0,0,30,210,1,0,0,0,
        32,215,1,0,0,0,34,227,1,0,0,0,36,230,1,0,0,0,38,233,1,0,0,0,40,235,
        1,0,0,0,42,251,1,0,0,0,44,253,1,0,0,0,46,264,1,0,0,0,48,274,1,0,
        0,0,50,276,1,0,0,0,52,294,1,0,0,0,54,298,1,0,0,0,56,307,1,0,0,0,
        58,309,1,0,0,0,60,327,1,0,0,0,62,329,1,0,0,0,64,336,1,0,0,0,66,338,
        1,0,0,0,68,363,1,0,0,0,70,366,1,0,0,0,72,371,1,0,0,0,74,384,1,0,
        0,0,76,400,1,0,0,0,78,403,1,0,0,0,80,414,1,0,0,0,82,425,1,0,0,0,
        84,447,1,0,0,0,86,449,1,0,0,0,88,90,3,2,1,0,89,88,1,0,0,0,90,93,
        1,0,0,0,91,89,1,0,0,0,91,92,1,0,0,0,92,94,1,0,0,0,93,91,1,0,0,0,
        94,95,5,0,0,1,95,1,1,0,0,0,96,106,3,4,2,0,97,106,3,8,4,0,98,106,
        3,10,5,0,99,106,3,12,6,0,100,106,3,14,7,0,101,106,3,16,8,0,102,106,
        3,66,33,0,103,106,3,74,37,0,104,106,3,78,39,0,105,96,1,0,0,0,105,
        97,1,0,0,0,105,98,1,0,0,0,105,99,1,0,0,0,105,100,1,0,0,0,105,101,
        1,0,0,0,105,102,1,0,0,0,105,103,1,0,0,0,105,104,1,0,0,0,106,3,1,
        0,0,0,107,108,5,1,0,0,108,117,3,86,43,0,109,113,5,52,0,0,110,112,
        3,6,3,0,111,110,1,0,0,0,112,115,1,0,0,0,113,111,1,0,0,0,113,114,
        1,0,0,0,114,116,1,0,0,0,115,113,1,0,0,0,116,118,5,53,0,0,117,109,
        1,0,0,0,117,118,1,0,0,0,118,5,1,0,0,0,119,121,5,55,0,0,120,122,3,
        54,27,0,121,120,1,0,0,0,121,122,1,0,0,0,122,125,1,0,0,0,123,126,
        3,64,32,0,124,126,5,12,0,0,125,123,1,0,0,0,125,124,1,0,0,0,126,7,
        1,0,0,0,127,128,5,2,0,0,128,129,5,56,0,0,129,9,1,0,0,0,130,131,5,
        3,0,0,131,132,5,55,0,0,132,133,5,43,0,0,133,134,3,64,32,0,134,135,
        5,31,0,0,135,136,3,64,32,0,136,137,5,44,0,0,137,138,3,64,32,0,138,
        11,1,0,0,0,139,140,5,4,0,0,140,141,5,55,0,0,141,144,5,43,0,0,142,
        145,3,58,29,0,143,145,3,44,22,0,144,142,1,0,0,0,144,143,1,0,0,0,
        145,13,1,0,0,0,146,147,5,5,0,0,147,148,3,86,43,0,148,152,5,52,0,
        0,149,151,3,18,9,0,150,149,1,0,0,0,151,154,1,0,0,0,152,150,1,0,0,
        0,152,153,1,0,0,0,153,155,1,0,0,0,154,152,1,0,0,0,155,156,5,53,0,
        0,156,15,1,0,0,0,157,158,5,6,0,0,158,162,5,52,0,0,159,161,3,18,9,
        0,160,159,1,0,0,0,161,164,1,0,0,0,162,160,1,0,0,0,162,163,1,0,0,
        0,163,165,1,0,0,0,164,162,1,0,0,0,165,166,5,53,0,0,166,17,1,0,0,
        0,167,179,3,20,10,0,168,179,3,22,11,0,169,179,3,24,12,0,170,179,
        3,26,13,0,171,179,3,28,14,0,172,179,3,30,15,0,173,179,3,32,16,0,
        174,179,3,34,17,0,175,179,3,36,18,0,176,179,3,38,19,0,177,179,3,
        40,20,0,178,167,1,0,0,0,178,168,1,0,0,0,178,169,1,0,0,0,178,170,
        1,0,0,0,178,171,1,0,0,0,178,172,1,0,0,0,178,173,1,0,0,0,178,174,
        1,0,0,0,178,175,1,0,0,0,178,176,1,0,0,0,178,177,1,0,0,0,179,19,1,
        0,0,0,180,181,5,10,0,0,181,182,3,44,22,0,182,21,1,0,0,0,183,184,
        5,11,0,0,184,185,5,55,0,0,185,23,1,0,0,0,186,187,5,12,0,0,187,188,
        3,64,32,0,188,25,1,0,0,0,189,190,5,13,0,0,190,193,3,64,32,0,191,
        192,5,44,0,0,192,194,3,64,32,0,193,191,1,0,0,0,193,194,1,0,0,0,194,
        27,1,0,0,0,195,196,5,14,0,0,196,201,3,42,21,0,197,198,5,46,0,0,198,
        200,3,42,21,0,199,197,1,0,0,0,200,203,1,0,0,0,201,199,1,0,0,0,201,
        202,1,0,0,0,202,208,1,0,0,0,203,201,1,0,0,0,204,206,5,55,0,0,205,
        207,5,55,0,0,206,205,1,0,0,0,206,207,1,0,0,0,207,209,1,0,0,0,208,
        204,1,0,0,0,208,209,1,0,0,0,209,29,1,0,0,0,210,211,5,15,0,0,211,
        213,5,55,0,0,212,214,5,55,0,0,213,212,1,0,0,0,213,214,1,0,0,0,214,
        31,1,0,0,0,215,218,5,16,0,0,216,217,5,21,0,0,217,219,3,64,32,0,218,
        216,1,0,0,0,218,219,1,0,0,0,219,225,1,0,0,0,220,221,5,22,0,0,221,
        222,3,64,32,0,222,223,5,23,0,0,223,224,3,64,32,0,224,226,1,0,0,0,
        225,220,1,0,0,0,225,226,1,0,0,0,226,33,1,0,0,0,227,228,5,17,0,0,
        228,229,3,64,32,0,229,35,1,0,0,0,230,231,5,18,0,0,231,232,3,64,32,
        0,232,37,1,0,0,0,233,234,5,19,0,0,234,39,1,0,0,0,235,236,5,20,0,
        0,236,41,1,0,0,0,237,242,5,54,0,0,238,239,5,47,0,0,239,243,5,54,
        0,0,240,241,5,28,0,0,241,243,5,55,0,0,242,238,1,0,0,0,242,240,1,
        0,0,0,242,243,1,0,0,0,243,252,1,0,0,0,244,246,5,34,0,0,245,244,1,
        0,0,0,245,246,1,0,0,0,246,247,1,0,0,0,247,249,5,55,0,0,248,250,7,
        0,0,0,249,248,1,0,0,0,249,250,1,0,0,0,250,252,1,0,0,0,251,237,1,
        0,0,0,251,245,1,0,0,0,252,43,1,0,0,0,253,258,3,46,23,0,254,255,7,
        1,0,0,255,257,3,46,23,0,256,254,1,0,0,0,257,260,1,0,0,0,258,256,
        1,0,0,0,258,259,1,0,0,0,259,45,1,0,0,0,260,258,1,0,0,0,261,263,5,
        34,0,0,262,261,1,0,0,0,263,266,1,0,0,0,264,262,1,0,0,0,264,265,1,
        0,0,0,265,267,1,0,0,0,266,264,1,0,0,0,267,268,3,48,24,0,268,47,1,
        0,0,0,269,270,5,48,0,0,270,271,3,44,22,0,271,272,5,49,0,0,272,275,
        1,0,0,0,273,275,3,50,25,0,274,269,1,0,0,0,274,273,1,0,0,0,275,49,
        1,0,0,0,276,279,5,55,0,0,277,280,5,56,0,0,278,280,3,52,26,0,279,
        277,1,0,0,0,279,278,1,0,0,0,279,280,1,0,0,0,280,287,1,0,0,0,281,
        282,5,24,0,0,282,285,3,64,32,0,283,284,5,25,0,0,284,286,5,55,0,0,
        285,283,1,0,0,0,285,286,1,0,0,0,286,288,1,0,0,0,287,281,1,0,0,0,
        287,288,1,0,0,0,288,292,1,0,0,0,289,290,3,54,27,0,290,291,3,56,28,
        0,291,293,1,0,0,0,292,289,1,0,0,0,292,293,1,0,0,0,293,51,1,0,0,0,
        294,295,5,50,0,0,295,296,5,54,0,0,296,297,5,51,0,0,297,53,1,0,0,
        0,298,299,7,2,0,0,299,55,1,0,0,0,300,303,3,64,32,0,301,302,5,44,
        0,0,302,304,3,64,32,0,303,301,1,0,0,0,303,304,1,0,0,0,304,308,1,
        0,0,0,305,308,3,62,31,0,306,308,3,58,29,0,307,300,1,0,0,0,307,305,
        1,0,0,0,307,306,1,0,0,0,308,57,1,0,0,0,309,321,5,50,0,0,310,315,
        3,60,30,0,311,312,5,46,0,0,312,314,3,60,30,0,313,311,1,0,0,0,314,
        317,1,0,0,0,315,313,1,0,0,0,315,316,1,0,0,0,316,319,1,0,0,0,317,
        315,1,0,0,0,318,320,5,46,0,0,319,318,1,0,0,0,319,320,1,0,0,0,320,
        322,1,0,0,0,321,310,1,0,0,0,321,322,1,0,0,0,322,323,1,0,0,0,323,
        324,5,51,0,0,324,59,1,0,0,0,325,328,3,62,31,0,326,328,3,64,32,0,
        327,325,1,0,0,0,327,326,1,0,0,0,328,61,1,0,0,0,329,330,7,3,0,0,330,
        63,1,0,0,0,331,333,5,47,0,0,332,331,1,0,0,0,332,333,1,0,0,0,333,
        334,1,0,0,0,334,337,5,54,0,0,335,337,5,55,0,0,336,332,1,0,0,0,336,
        335,1,0,0,0,337,65,1,0,0,0,338,339,5,7,0,0,339,341,3,86,43,0,340,
        342,3,68,34,0,341,340,1,0,0,0,341,342,1,0,0,0,342,352,1,0,0,0,343,
        344,5,26,0,0,344,349,3,70,35,0,345,346,5,46,0,0,346,348,3,70,35,
        0,347,345,1,0,0,0,348,351,1,0,0,0,349,347,1,0,0,0,349,350,1,0,0,
        0,350,353,1,0,0,0,351,349,1,0,0,0,352,343,1,0,0,0,352,353,1,0,0,
        0,353,354,1,0,0,0,354,358,5,52,0,0,355,357,3,72,36,0,356,355,1,0,
        0,0,357,360,1,0,0,0,358,356,1,0,0,0,358,359,1,0,0,0,359,361,1,0,
        0,0,360,358,1,0,0,0,361,362,5,53,0,0,362,67,1,0,0,0,363,364,5,27,
        0,0,364,365,3,86,43,0,365,69,1,0,0,0,366,367,3,86,43,0,367,369,5,
        54,0,0,368,370,3,68,34,0,369,368,1,0,0,0,369,370,1,0,0,0,370,71,
        1,0,0,0,371,372,5,55,0,0,372,373,5,48,0,0,373,375,3,86,43,0,374,
        376,3,86,43,0,375,374,1,0,0,0,375,376,1,0,0,0,376,377,1,0,0,0,377,
        378,5,49,0,0,378,379,3,54,27,0,379,382,3,64,32,0,380,381,5,28,0,
        0,381,383,7,4,0,0,382,380,1,0,0,0,382,383,1,0,0,0,383,73,1,0,0,0,
        384,385,5,8,0,0,385,386,3,86,43,0,386,387,5,29,0,0,387,388,3,64,
        32,0,388,392,5,52,0,0,389,391,3,72,36,0,390,389,1,0,0,0,391,394,
        1,0,0,0,392,390,1,0,0,0,392,393,1,0,0,0,393,396,1,0,0,0,394,392,
        1,0,0,0,395,397,3,76,38,0,396,395,1,0,0,0,396,397,1,0,0,0,397,398,
        1,0,0,0,398,399,5,53,0,0,399,75,1,0,0,0,400,401,5,30,0,0,401,402,
        5,55,0,0,402,77,1,0,0,0,403,404,5,9,0,0,404,405,5,56,0,0,405,409,
        5,52,0,0,406,408,3,80,40,0,407,406,1,0,0,0,408,411,1,0,0,0,409,407,
        1,0,0,0,409,410,1,0,0,0,410,412,1,0,0,0,411,409,1,0,0,0,412,413,
        5,53,0,0,413,79,1,0,0,0,414,418,3,82,41,0,415,417,3,82,41,0,416,
        415,1,0,0,0,417,420,1,0,0,0,418,416,1,0,0,0,418,419,1,0,0,0,419,
        421,1,0,0,0,420,418,1,0,0,0,421,422,5,45,0,0,422,423,3,86,43,0,423,
        81,1,0,0,0,424,426,5,34,0,0,425,424,1,0,0,0,425,426,1,0,0,0,426,
        427,1,0,0,0,427,431,5,55,0,0,428,430,3,84,42,0,429,428,1,0,0,0,430,
        433,1,0,0,0,431,429,1,0,0,0,431,432,1,0,0,0,432,436,1,0,0,0,433,
        431,1,0,0,0,434,435,5,24,0,0,435,437,3,64,32,0,436,434,1,0,0,0,436,
        437,1,0,0,0,437,440,1,0,0,0,438,439,5,25,0,0,439,441,5,55,0,0,440,
        438,1,0,0,0,440,441,1,0,0,0,441,83,1,0,0,0,442,448,3,62,31,0,443,
        445,5,47,0,0,444,443,1,0,0,0,444,445,1,0,0,0,445,446,1,0,0,0,446,
        448,5,54,0,0,447,442,1,0,0,0,447,444,1,0,0,0,448,85,1,0,0,0,449,
        450,7,5,0,0,450,87,1,0,0,0,53,91,105,113,117,121,125,144,152,162,
        178,193,201,206,208,213,218,225,242,245,249,251,258,264,274,279,
        285,287,292,303,307,315,319,321,327,332,336,341,349,352,358,369,
        375,382,392,396,409,418,425,431,436,440,444,447
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
    RULE_index = 26
    RULE_comparator = 27
    RULE_operand = 28
    RULE_listLiteral = 29
    RULE_element = 30
    RULE_text = 31
    RULE_scalar = 32
    RULE_expectBlock = 33
    RULE_asRule = 34
    RULE_load = 35
    RULE_claim = 36
    RULE_promiseBlock = 37
    RULE_otherwise = 38
    RULE_testBlock = 39
    RULE_testLine = 40
    RULE_fact = 41
    RULE_factValue = 42
    RULE_anyName = 43

    ruleNames =  [ "policyFile", "item", "policyBlock", "policySetting", 
                   "includeItem", "tunableItem", "setItem", "ruleBlock", 
                   "defaultBlock", "statement", "matchStatement", "priorityStatement", 
                   "weightStatement", "sliceStatement", "cpusStatement", 
                   "migrateStatement", "preemptStatement", "maxWaitStatement", 
                   "perfStatement", "inheritStatement", "monitorStatement", 
                   "cpuTerm", "expression", "unary", "primary", "comparison", 
                   "index", "comparator", "operand", "listLiteral", "element", 
                   "text", "scalar", "expectBlock", "asRule", "load", "claim", 
                   "promiseBlock", "otherwise", "testBlock", "testLine", 
                   "fact", "factValue", "anyName" ]

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
            self.state = 91
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 1022) != 0):
                self.state = 88
                self.item()
                self.state = 93
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 94
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
            self.state = 105
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [1]:
                self.enterOuterAlt(localctx, 1)
                self.state = 96
                self.policyBlock()
                pass
            elif token in [2]:
                self.enterOuterAlt(localctx, 2)
                self.state = 97
                self.includeItem()
                pass
            elif token in [3]:
                self.enterOuterAlt(localctx, 3)
                self.state = 98
                self.tunableItem()
                pass
            elif token in [4]:
                self.enterOuterAlt(localctx, 4)
                self.state = 99
                self.setItem()
                pass
            elif token in [5]:
                self.enterOuterAlt(localctx, 5)
                self.state = 100
                self.ruleBlock()
                pass
            elif token in [6]:
                self.enterOuterAlt(localctx, 6)
                self.state = 101
                self.defaultBlock()
                pass
            elif token in [7]:
                self.enterOuterAlt(localctx, 7)
                self.state = 102
                self.expectBlock()
                pass
            elif token in [8]:
                self.enterOuterAlt(localctx, 8)
                self.state = 103
                self.promiseBlock()
                pass
            elif token in [9]:
                self.enterOuterAlt(localctx, 9)
                self.state = 104
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
            self.state = 107
            self.match(GplParser.POLICY)
            self.state = 108
            self.anyName()
            self.state = 117
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==52:
                self.state = 109
                self.match(GplParser.LBRACE)
                self.state = 113
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==55:
                    self.state = 110
                    self.policySetting()
                    self.state = 115
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 116
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
            self.state = 119
            self.match(GplParser.WORD)
            self.state = 121
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 17560040898560) != 0):
                self.state = 120
                self.comparator()


            self.state = 125
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [47, 54, 55]:
                self.state = 123
                self.scalar()
                pass
            elif token in [12]:
                self.state = 124
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
            self.state = 127
            self.match(GplParser.INCLUDE)
            self.state = 128
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
            self.state = 130
            self.match(GplParser.TUNABLE)
            self.state = 131
            self.match(GplParser.WORD)
            self.state = 132
            self.match(GplParser.ASSIGN)
            self.state = 133
            self.scalar()
            self.state = 134
            self.match(GplParser.IN)
            self.state = 135
            self.scalar()
            self.state = 136
            self.match(GplParser.DOTS)
            self.state = 137
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
            self.state = 139
            self.match(GplParser.SET)
            self.state = 140
            self.match(GplParser.WORD)
            self.state = 141
            self.match(GplParser.ASSIGN)
            self.state = 144
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [50]:
                self.state = 142
                self.listLiteral()
                pass
            elif token in [34, 48, 55]:
                self.state = 143
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
            self.state = 146
            self.match(GplParser.RULE)
            self.state = 147
            self.anyName()
            self.state = 148
            self.match(GplParser.LBRACE)
            self.state = 152
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 2096128) != 0):
                self.state = 149
                self.statement()
                self.state = 154
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 155
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
            self.state = 157
            self.match(GplParser.DEFAULT)
            self.state = 158
            self.match(GplParser.LBRACE)
            self.state = 162
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 2096128) != 0):
                self.state = 159
                self.statement()
                self.state = 164
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 165
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
            self.state = 178
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [10]:
                self.enterOuterAlt(localctx, 1)
                self.state = 167
                self.matchStatement()
                pass
            elif token in [11]:
                self.enterOuterAlt(localctx, 2)
                self.state = 168
                self.priorityStatement()
                pass
            elif token in [12]:
                self.enterOuterAlt(localctx, 3)
                self.state = 169
                self.weightStatement()
                pass
            elif token in [13]:
                self.enterOuterAlt(localctx, 4)
                self.state = 170
                self.sliceStatement()
                pass
            elif token in [14]:
                self.enterOuterAlt(localctx, 5)
                self.state = 171
                self.cpusStatement()
                pass
            elif token in [15]:
                self.enterOuterAlt(localctx, 6)
                self.state = 172
                self.migrateStatement()
                pass
            elif token in [16]:
                self.enterOuterAlt(localctx, 7)
                self.state = 173
                self.preemptStatement()
                pass
            elif token in [17]:
                self.enterOuterAlt(localctx, 8)
                self.state = 174
                self.maxWaitStatement()
                pass
            elif token in [18]:
                self.enterOuterAlt(localctx, 9)
                self.state = 175
                self.perfStatement()
                pass
            elif token in [19]:
                self.enterOuterAlt(localctx, 10)
                self.state = 176
                self.inheritStatement()
                pass
            elif token in [20]:
                self.enterOuterAlt(localctx, 11)
                self.state = 177
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
            self.state = 180
            self.match(GplParser.MATCH)
            self.state = 181
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
            self.state = 183
            self.match(GplParser.PRIORITY)
            self.state = 184
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
            self.state = 186
            self.match(GplParser.WEIGHT)
            self.state = 187
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
            self.state = 189
            self.match(GplParser.SLICE)
            self.state = 190
            self.scalar()
            self.state = 193
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==44:
                self.state = 191
                self.match(GplParser.DOTS)
                self.state = 192
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

        def WORD(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.WORD)
            else:
                return self.getToken(GplParser.WORD, i)

        def getRuleIndex(self):
            return GplParser.RULE_cpusStatement




    def cpusStatement(self):

        localctx = GplParser.CpusStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 28, self.RULE_cpusStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 195
            self.match(GplParser.CPUS)
            self.state = 196
            self.cpuTerm()
            self.state = 201
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==46:
                self.state = 197
                self.match(GplParser.COMMA)
                self.state = 198
                self.cpuTerm()
                self.state = 203
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 208
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==55:
                self.state = 204
                self.match(GplParser.WORD)
                self.state = 206
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==55:
                    self.state = 205
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
            self.state = 210
            self.match(GplParser.MIGRATE)
            self.state = 211
            self.match(GplParser.WORD)
            self.state = 213
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==55:
                self.state = 212
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
            self.state = 215
            self.match(GplParser.PREEMPT)
            self.state = 218
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==21:
                self.state = 216
                self.match(GplParser.AFTER)
                self.state = 217
                self.scalar()


            self.state = 225
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==22:
                self.state = 220
                self.match(GplParser.BUDGET)
                self.state = 221
                self.scalar()
                self.state = 222
                self.match(GplParser.PER)
                self.state = 223
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
            self.state = 227
            self.match(GplParser.MAX_WAIT)
            self.state = 228
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
            self.state = 230
            self.match(GplParser.PERF)
            self.state = 231
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
            self.state = 233
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
            self.state = 235
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

        def OF(self):
            return self.getToken(GplParser.OF, 0)

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

        def NOT(self):
            return self.getToken(GplParser.NOT, 0)

        def STRING(self):
            return self.getToken(GplParser.STRING, 0)

        def getRuleIndex(self):
            return GplParser.RULE_cpuTerm




    def cpuTerm(self):

        localctx = GplParser.CpuTermContext(self, self._ctx, self.state)
        self.enterRule(localctx, 42, self.RULE_cpuTerm)
        self._la = 0 # Token type
        try:
            self.state = 251
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [54]:
                self.enterOuterAlt(localctx, 1)
                self.state = 237
                self.match(GplParser.NUMBER)
                self.state = 242
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [47]:
                    self.state = 238
                    self.match(GplParser.MINUS)
                    self.state = 239
                    self.match(GplParser.NUMBER)
                    pass
                elif token in [28]:
                    self.state = 240
                    self.match(GplParser.OF)
                    self.state = 241
                    self.match(GplParser.WORD)
                    pass
                elif token in [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 46, 53, 55]:
                    pass
                else:
                    pass
                pass
            elif token in [34, 55]:
                self.enterOuterAlt(localctx, 2)
                self.state = 245
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==34:
                    self.state = 244
                    self.match(GplParser.NOT)


                self.state = 247
                self.match(GplParser.WORD)
                self.state = 249
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==54 or _la==56:
                    self.state = 248
                    _la = self._input.LA(1)
                    if not(_la==54 or _la==56):
                        self._errHandler.recoverInline(self)
                    else:
                        self._errHandler.reportMatch(self)
                        self.consume()


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
            self.state = 253
            self.unary()
            self.state = 258
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==32 or _la==33:
                self.state = 254
                _la = self._input.LA(1)
                if not(_la==32 or _la==33):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 255
                self.unary()
                self.state = 260
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
            self.state = 264
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==34:
                self.state = 261
                self.match(GplParser.NOT)
                self.state = 266
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 267
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
            self.state = 274
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [48]:
                self.enterOuterAlt(localctx, 1)
                self.state = 269
                self.match(GplParser.LPAREN)
                self.state = 270
                self.expression()
                self.state = 271
                self.match(GplParser.RPAREN)
                pass
            elif token in [55]:
                self.enterOuterAlt(localctx, 2)
                self.state = 273
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

        def index(self):
            return self.getTypedRuleContext(GplParser.IndexContext,0)


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
            self.state = 276
            self.match(GplParser.WORD)
            self.state = 279
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [56]:
                self.state = 277
                self.match(GplParser.STRING)
                pass
            elif token in [50]:
                self.state = 278
                self.index()
                pass
            elif token in [-1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 24, 26, 31, 32, 33, 35, 36, 37, 38, 39, 40, 41, 42, 43, 49, 53]:
                pass
            else:
                pass
            self.state = 287
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==24:
                self.state = 281
                self.match(GplParser.WITHIN)
                self.state = 282
                self.scalar()
                self.state = 285
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==25:
                    self.state = 283
                    self.match(GplParser.VIA)
                    self.state = 284
                    self.match(GplParser.WORD)




            self.state = 292
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 17560040898560) != 0):
                self.state = 289
                self.comparator()
                self.state = 290
                self.operand()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class IndexContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LBRACKET(self):
            return self.getToken(GplParser.LBRACKET, 0)

        def NUMBER(self):
            return self.getToken(GplParser.NUMBER, 0)

        def RBRACKET(self):
            return self.getToken(GplParser.RBRACKET, 0)

        def getRuleIndex(self):
            return GplParser.RULE_index




    def index(self):

        localctx = GplParser.IndexContext(self, self._ctx, self.state)
        self.enterRule(localctx, 52, self.RULE_index)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 294
            self.match(GplParser.LBRACKET)
            self.state = 295
            self.match(GplParser.NUMBER)
            self.state = 296
            self.match(GplParser.RBRACKET)
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
        self.enterRule(localctx, 54, self.RULE_comparator)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 298
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
        self.enterRule(localctx, 56, self.RULE_operand)
        self._la = 0 # Token type
        try:
            self.state = 307
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [47, 54, 55]:
                self.enterOuterAlt(localctx, 1)
                self.state = 300
                self.scalar()
                self.state = 303
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==44:
                    self.state = 301
                    self.match(GplParser.DOTS)
                    self.state = 302
                    self.scalar()


                pass
            elif token in [56, 57]:
                self.enterOuterAlt(localctx, 2)
                self.state = 305
                self.text()
                pass
            elif token in [50]:
                self.enterOuterAlt(localctx, 3)
                self.state = 306
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
        self.enterRule(localctx, 58, self.RULE_listLiteral)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 309
            self.match(GplParser.LBRACKET)
            self.state = 321
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 270356715130585088) != 0):
                self.state = 310
                self.element()
                self.state = 315
                self._errHandler.sync(self)
                _alt = self._interp.adaptivePredict(self._input,30,self._ctx)
                while _alt!=2 and _alt!=ATN.INVALID_ALT_NUMBER:
                    if _alt==1:
                        self.state = 311
                        self.match(GplParser.COMMA)
                        self.state = 312
                        self.element() 
                    self.state = 317
                    self._errHandler.sync(self)
                    _alt = self._interp.adaptivePredict(self._input,30,self._ctx)

                self.state = 319
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==46:
                    self.state = 318
                    self.match(GplParser.COMMA)




            self.state = 323
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
        self.enterRule(localctx, 60, self.RULE_element)
        try:
            self.state = 327
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [56, 57]:
                self.enterOuterAlt(localctx, 1)
                self.state = 325
                self.text()
                pass
            elif token in [47, 54, 55]:
                self.enterOuterAlt(localctx, 2)
                self.state = 326
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
        self.enterRule(localctx, 62, self.RULE_text)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 329
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
        self.enterRule(localctx, 64, self.RULE_scalar)
        self._la = 0 # Token type
        try:
            self.state = 336
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [47, 54]:
                self.enterOuterAlt(localctx, 1)
                self.state = 332
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==47:
                    self.state = 331
                    self.match(GplParser.MINUS)


                self.state = 334
                self.match(GplParser.NUMBER)
                pass
            elif token in [55]:
                self.enterOuterAlt(localctx, 2)
                self.state = 335
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
        self.enterRule(localctx, 66, self.RULE_expectBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 338
            self.match(GplParser.EXPECT)
            self.state = 339
            self.anyName()
            self.state = 341
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==27:
                self.state = 340
                self.asRule()


            self.state = 352
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==26:
                self.state = 343
                self.match(GplParser.UNDER)
                self.state = 344
                self.load()
                self.state = 349
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==46:
                    self.state = 345
                    self.match(GplParser.COMMA)
                    self.state = 346
                    self.load()
                    self.state = 351
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 354
            self.match(GplParser.LBRACE)
            self.state = 358
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==55:
                self.state = 355
                self.claim()
                self.state = 360
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 361
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
        self.enterRule(localctx, 68, self.RULE_asRule)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 363
            self.match(GplParser.AS)
            self.state = 364
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
        self.enterRule(localctx, 70, self.RULE_load)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 366
            self.anyName()
            self.state = 367
            self.match(GplParser.NUMBER)
            self.state = 369
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==27:
                self.state = 368
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
        self.enterRule(localctx, 72, self.RULE_claim)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 371
            self.match(GplParser.WORD)
            self.state = 372
            self.match(GplParser.LPAREN)
            self.state = 373
            self.anyName()
            self.state = 375
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 36028831378702334) != 0):
                self.state = 374
                self.anyName()


            self.state = 377
            self.match(GplParser.RPAREN)
            self.state = 378
            self.comparator()
            self.state = 379
            self.scalar()
            self.state = 382
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==28:
                self.state = 380
                self.match(GplParser.OF)
                self.state = 381
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
        self.enterRule(localctx, 74, self.RULE_promiseBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 384
            self.match(GplParser.PROMISE)
            self.state = 385
            self.anyName()
            self.state = 386
            self.match(GplParser.OVER)
            self.state = 387
            self.scalar()
            self.state = 388
            self.match(GplParser.LBRACE)
            self.state = 392
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==55:
                self.state = 389
                self.claim()
                self.state = 394
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 396
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==30:
                self.state = 395
                self.otherwise()


            self.state = 398
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
        self.enterRule(localctx, 76, self.RULE_otherwise)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 400
            self.match(GplParser.ELSE)
            self.state = 401
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
        self.enterRule(localctx, 78, self.RULE_testBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 403
            self.match(GplParser.TEST)
            self.state = 404
            self.match(GplParser.STRING)
            self.state = 405
            self.match(GplParser.LBRACE)
            self.state = 409
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==34 or _la==55:
                self.state = 406
                self.testLine()
                self.state = 411
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 412
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
        self.enterRule(localctx, 80, self.RULE_testLine)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 414
            self.fact()
            self.state = 418
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==34 or _la==55:
                self.state = 415
                self.fact()
                self.state = 420
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 421
            self.match(GplParser.ARROW)
            self.state = 422
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
        self.enterRule(localctx, 82, self.RULE_fact)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 425
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==34:
                self.state = 424
                self.match(GplParser.NOT)


            self.state = 427
            self.match(GplParser.WORD)
            self.state = 431
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 234327918111621120) != 0):
                self.state = 428
                self.factValue()
                self.state = 433
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 436
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==24:
                self.state = 434
                self.match(GplParser.WITHIN)
                self.state = 435
                self.scalar()


            self.state = 440
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==25:
                self.state = 438
                self.match(GplParser.VIA)
                self.state = 439
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
        self.enterRule(localctx, 84, self.RULE_factValue)
        self._la = 0 # Token type
        try:
            self.state = 447
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [56, 57]:
                self.enterOuterAlt(localctx, 1)
                self.state = 442
                self.text()
                pass
            elif token in [47, 54]:
                self.enterOuterAlt(localctx, 2)
                self.state = 444
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==47:
                    self.state = 443
                    self.match(GplParser.MINUS)


                self.state = 446
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
        self.enterRule(localctx, 86, self.RULE_anyName)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 449
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






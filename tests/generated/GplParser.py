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
        4,1,70,522,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,
        7,20,2,21,7,21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,
        2,27,7,27,2,28,7,28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,
        7,33,2,34,7,34,2,35,7,35,2,36,7,36,2,37,7,37,2,38,7,38,2,39,7,39,
        2,40,7,40,2,41,7,41,2,42,7,42,2,43,7,43,2,44,7,44,2,45,7,45,2,46,
        7,46,2,47,7,47,2,48,7,48,2,49,7,49,1,0,5,0,102,8,0,10,0,12,0,105,
        9,0,1,0,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3,1,119,8,1,
        1,2,1,2,1,2,1,2,5,2,125,8,2,10,2,12,2,128,9,2,1,2,3,2,131,8,2,1,
        3,1,3,3,3,135,8,3,1,3,1,3,3,3,139,8,3,1,4,1,4,1,4,1,5,1,5,1,5,1,
        5,1,5,1,5,1,5,1,5,1,5,1,6,1,6,1,6,1,6,1,6,3,6,158,8,6,1,7,1,7,1,
        7,1,7,5,7,164,8,7,10,7,12,7,167,9,7,1,7,1,7,1,8,1,8,1,8,5,8,174,
        8,8,10,8,12,8,177,9,8,1,8,1,8,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,9,1,
        9,1,9,1,9,3,9,192,8,9,1,10,1,10,1,10,1,11,1,11,1,11,1,12,1,12,1,
        12,1,13,1,13,1,13,1,13,3,13,207,8,13,1,14,1,14,1,14,1,14,5,14,213,
        8,14,10,14,12,14,216,9,14,1,14,1,14,3,14,220,8,14,3,14,222,8,14,
        1,15,1,15,1,15,3,15,227,8,15,1,16,1,16,3,16,231,8,16,1,16,1,16,3,
        16,235,8,16,1,16,1,16,1,16,1,16,1,16,3,16,242,8,16,1,17,1,17,1,17,
        1,18,1,18,1,18,1,19,1,19,1,20,1,20,1,21,1,21,1,21,1,21,1,21,3,21,
        259,8,21,1,21,3,21,262,8,21,1,21,1,21,3,21,266,8,21,3,21,268,8,21,
        1,22,1,22,1,22,5,22,273,8,22,10,22,12,22,276,9,22,1,23,5,23,279,
        8,23,10,23,12,23,282,9,23,1,23,1,23,1,24,1,24,1,24,1,24,1,24,3,24,
        291,8,24,1,25,1,25,1,25,3,25,296,8,25,1,25,1,25,1,25,1,25,3,25,302,
        8,25,3,25,304,8,25,1,25,1,25,1,25,3,25,309,8,25,1,26,1,26,1,26,1,
        26,1,27,1,27,1,28,1,28,1,28,3,28,320,8,28,1,28,1,28,3,28,324,8,28,
        1,29,1,29,1,29,1,29,5,29,330,8,29,10,29,12,29,333,9,29,1,29,3,29,
        336,8,29,3,29,338,8,29,1,29,1,29,1,30,1,30,3,30,344,8,30,1,31,1,
        31,1,32,3,32,349,8,32,1,32,1,32,3,32,353,8,32,1,33,1,33,1,33,3,33,
        358,8,33,1,33,1,33,1,33,1,33,5,33,364,8,33,10,33,12,33,367,9,33,
        3,33,369,8,33,1,33,1,33,5,33,373,8,33,10,33,12,33,376,9,33,1,33,
        1,33,1,34,1,34,1,34,1,35,1,35,1,35,3,35,386,8,35,1,36,1,36,1,36,
        1,36,3,36,392,8,36,1,36,1,36,1,36,1,36,1,36,3,36,399,8,36,1,37,1,
        37,1,37,1,37,1,37,1,37,5,37,407,8,37,10,37,12,37,410,9,37,1,37,3,
        37,413,8,37,1,37,1,37,1,38,1,38,1,38,1,39,1,39,1,39,1,39,5,39,424,
        8,39,10,39,12,39,427,9,39,1,39,1,39,1,40,1,40,5,40,433,8,40,10,40,
        12,40,436,9,40,1,40,1,40,1,40,1,41,3,41,442,8,41,1,41,1,41,5,41,
        446,8,41,10,41,12,41,449,9,41,1,41,1,41,3,41,453,8,41,1,41,1,41,
        3,41,457,8,41,1,42,1,42,3,42,461,8,42,1,42,3,42,464,8,42,1,43,1,
        43,1,43,1,43,5,43,470,8,43,10,43,12,43,473,9,43,1,43,1,43,1,44,1,
        44,1,44,5,44,480,8,44,10,44,12,44,483,9,44,1,45,5,45,486,8,45,10,
        45,12,45,489,9,45,1,45,1,45,1,46,1,46,1,46,1,46,1,46,3,46,498,8,
        46,1,47,1,47,3,47,502,8,47,1,47,1,47,1,47,3,47,507,8,47,1,47,1,47,
        3,47,511,8,47,1,48,1,48,1,48,1,48,1,48,3,48,518,8,48,1,49,1,49,1,
        49,0,0,50,0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,
        40,42,44,46,48,50,52,54,56,58,60,62,64,66,68,70,72,74,76,78,80,82,
        84,86,88,90,92,94,96,98,0,6,2,0,57,57,59,59,1,0,34,35,3,0,27,27,
        33,33,37,45,1,0,59,60,1,0,58,59,2,0,1,36,58,58,554,0,103,1,0,0,0,
        2,118,1,0,0,0,4,120,1,0,0,0,6,132,1,0,0,0,8,140,1,0,0,0,10,143,1,
        0,0,0,12,152,1,0,0,0,14,159,1,0,0,0,16,170,1,0,0,0,18,191,1,0,0,
        0,20,193,1,0,0,0,22,196,1,0,0,0,24,199,1,0,0,0,26,202,1,0,0,0,28,
        208,1,0,0,0,30,223,1,0,0,0,32,228,1,0,0,0,34,243,1,0,0,0,36,246,
        1,0,0,0,38,249,1,0,0,0,40,251,1,0,0,0,42,267,1,0,0,0,44,269,1,0,
        0,0,46,280,1,0,0,0,48,290,1,0,0,0,50,292,1,0,0,0,52,310,1,0,0,0,
        54,314,1,0,0,0,56,323,1,0,0,0,58,325,1,0,0,0,60,343,1,0,0,0,62,345,
        1,0,0,0,64,352,1,0,0,0,66,354,1,0,0,0,68,379,1,0,0,0,70,382,1,0,
        0,0,72,387,1,0,0,0,74,400,1,0,0,0,76,416,1,0,0,0,78,419,1,0,0,0,
        80,430,1,0,0,0,82,441,1,0,0,0,84,463,1,0,0,0,86,465,1,0,0,0,88,476,
        1,0,0,0,90,487,1,0,0,0,92,497,1,0,0,0,94,499,1,0,0,0,96,517,1,0,
        0,0,98,519,1,0,0,0,100,102,3,2,1,0,101,100,1,0,0,0,102,105,1,0,0,
        0,103,101,1,0,0,0,103,104,1,0,0,0,104,106,1,0,0,0,105,103,1,0,0,
        0,106,107,5,0,0,1,107,1,1,0,0,0,108,119,3,4,2,0,109,119,3,8,4,0,
        110,119,3,10,5,0,111,119,3,12,6,0,112,119,3,14,7,0,113,119,3,16,
        8,0,114,119,3,66,33,0,115,119,3,74,37,0,116,119,3,78,39,0,117,119,
        3,86,43,0,118,108,1,0,0,0,118,109,1,0,0,0,118,110,1,0,0,0,118,111,
        1,0,0,0,118,112,1,0,0,0,118,113,1,0,0,0,118,114,1,0,0,0,118,115,
        1,0,0,0,118,116,1,0,0,0,118,117,1,0,0,0,119,3,1,0,0,0,120,121,5,
        1,0,0,121,130,3,98,49,0,122,126,5,54,0,0,123,125,3,6,3,0,124,123,
        1,0,0,0,125,128,1,0,0,0,126,124,1,0,0,0,126,127,1,0,0,0,127,129,
        1,0,0,0,128,126,1,0,0,0,129,131,5,55,0,0,130,122,1,0,0,0,130,131,
        1,0,0,0,131,5,1,0,0,0,132,134,5,58,0,0,133,135,3,54,27,0,134,133,
        1,0,0,0,134,135,1,0,0,0,135,138,1,0,0,0,136,139,3,64,32,0,137,139,
        5,13,0,0,138,136,1,0,0,0,138,137,1,0,0,0,139,7,1,0,0,0,140,141,5,
        2,0,0,141,142,5,59,0,0,142,9,1,0,0,0,143,144,5,3,0,0,144,145,5,58,
        0,0,145,146,5,45,0,0,146,147,3,64,32,0,147,148,5,33,0,0,148,149,
        3,64,32,0,149,150,5,46,0,0,150,151,3,64,32,0,151,11,1,0,0,0,152,
        153,5,4,0,0,153,154,5,58,0,0,154,157,5,45,0,0,155,158,3,58,29,0,
        156,158,3,44,22,0,157,155,1,0,0,0,157,156,1,0,0,0,158,13,1,0,0,0,
        159,160,5,5,0,0,160,161,3,98,49,0,161,165,5,54,0,0,162,164,3,18,
        9,0,163,162,1,0,0,0,164,167,1,0,0,0,165,163,1,0,0,0,165,166,1,0,
        0,0,166,168,1,0,0,0,167,165,1,0,0,0,168,169,5,55,0,0,169,15,1,0,
        0,0,170,171,5,6,0,0,171,175,5,54,0,0,172,174,3,18,9,0,173,172,1,
        0,0,0,174,177,1,0,0,0,175,173,1,0,0,0,175,176,1,0,0,0,176,178,1,
        0,0,0,177,175,1,0,0,0,178,179,5,55,0,0,179,17,1,0,0,0,180,192,3,
        20,10,0,181,192,3,22,11,0,182,192,3,24,12,0,183,192,3,26,13,0,184,
        192,3,28,14,0,185,192,3,30,15,0,186,192,3,32,16,0,187,192,3,34,17,
        0,188,192,3,36,18,0,189,192,3,38,19,0,190,192,3,40,20,0,191,180,
        1,0,0,0,191,181,1,0,0,0,191,182,1,0,0,0,191,183,1,0,0,0,191,184,
        1,0,0,0,191,185,1,0,0,0,191,186,1,0,0,0,191,187,1,0,0,0,191,188,
        1,0,0,0,191,189,1,0,0,0,191,190,1,0,0,0,192,19,1,0,0,0,193,194,5,
        11,0,0,194,195,3,44,22,0,195,21,1,0,0,0,196,197,5,12,0,0,197,198,
        5,58,0,0,198,23,1,0,0,0,199,200,5,13,0,0,200,201,3,64,32,0,201,25,
        1,0,0,0,202,203,5,14,0,0,203,206,3,64,32,0,204,205,5,46,0,0,205,
        207,3,64,32,0,206,204,1,0,0,0,206,207,1,0,0,0,207,27,1,0,0,0,208,
        209,5,15,0,0,209,214,3,42,21,0,210,211,5,48,0,0,211,213,3,42,21,
        0,212,210,1,0,0,0,213,216,1,0,0,0,214,212,1,0,0,0,214,215,1,0,0,
        0,215,221,1,0,0,0,216,214,1,0,0,0,217,219,5,58,0,0,218,220,5,58,
        0,0,219,218,1,0,0,0,219,220,1,0,0,0,220,222,1,0,0,0,221,217,1,0,
        0,0,221,222,1,0,0,0,222,29,1,0,0,0,223,224,5,16,0,0,224,226,5,58,
        0,0,225,227,5,58,0,0,226,225,1,0,0,0,226,227,1,0,0,0,227,31,1,0,
        0,0,228,230,5,17,0,0,229,231,5,58,0,0,230,229,1,0,0,0,230,231,1,
        0,0,0,231,234,1,0,0,0,232,233,5,22,0,0,233,235,3,64,32,0,234,232,
        1,0,0,0,234,235,1,0,0,0,235,241,1,0,0,0,236,237,5,23,0,0,237,238,
        3,64,32,0,238,239,5,24,0,0,239,240,3,64,32,0,240,242,1,0,0,0,241,
        236,1,0,0,0,241,242,1,0,0,0,242,33,1,0,0,0,243,244,5,18,0,0,244,
        245,3,64,32,0,245,35,1,0,0,0,246,247,5,19,0,0,247,248,3,64,32,0,
        248,37,1,0,0,0,249,250,5,20,0,0,250,39,1,0,0,0,251,252,5,21,0,0,
        252,41,1,0,0,0,253,258,5,57,0,0,254,255,5,49,0,0,255,259,5,57,0,
        0,256,257,5,29,0,0,257,259,5,58,0,0,258,254,1,0,0,0,258,256,1,0,
        0,0,258,259,1,0,0,0,259,268,1,0,0,0,260,262,5,36,0,0,261,260,1,0,
        0,0,261,262,1,0,0,0,262,263,1,0,0,0,263,265,5,58,0,0,264,266,7,0,
        0,0,265,264,1,0,0,0,265,266,1,0,0,0,266,268,1,0,0,0,267,253,1,0,
        0,0,267,261,1,0,0,0,268,43,1,0,0,0,269,274,3,46,23,0,270,271,7,1,
        0,0,271,273,3,46,23,0,272,270,1,0,0,0,273,276,1,0,0,0,274,272,1,
        0,0,0,274,275,1,0,0,0,275,45,1,0,0,0,276,274,1,0,0,0,277,279,5,36,
        0,0,278,277,1,0,0,0,279,282,1,0,0,0,280,278,1,0,0,0,280,281,1,0,
        0,0,281,283,1,0,0,0,282,280,1,0,0,0,283,284,3,48,24,0,284,47,1,0,
        0,0,285,286,5,50,0,0,286,287,3,44,22,0,287,288,5,51,0,0,288,291,
        1,0,0,0,289,291,3,50,25,0,290,285,1,0,0,0,290,289,1,0,0,0,291,49,
        1,0,0,0,292,295,5,58,0,0,293,296,5,59,0,0,294,296,3,52,26,0,295,
        293,1,0,0,0,295,294,1,0,0,0,295,296,1,0,0,0,296,303,1,0,0,0,297,
        298,5,25,0,0,298,301,3,64,32,0,299,300,5,26,0,0,300,302,5,58,0,0,
        301,299,1,0,0,0,301,302,1,0,0,0,302,304,1,0,0,0,303,297,1,0,0,0,
        303,304,1,0,0,0,304,308,1,0,0,0,305,306,3,54,27,0,306,307,3,56,28,
        0,307,309,1,0,0,0,308,305,1,0,0,0,308,309,1,0,0,0,309,51,1,0,0,0,
        310,311,5,52,0,0,311,312,5,57,0,0,312,313,5,53,0,0,313,53,1,0,0,
        0,314,315,7,2,0,0,315,55,1,0,0,0,316,319,3,64,32,0,317,318,5,46,
        0,0,318,320,3,64,32,0,319,317,1,0,0,0,319,320,1,0,0,0,320,324,1,
        0,0,0,321,324,3,62,31,0,322,324,3,58,29,0,323,316,1,0,0,0,323,321,
        1,0,0,0,323,322,1,0,0,0,324,57,1,0,0,0,325,337,5,52,0,0,326,331,
        3,60,30,0,327,328,5,48,0,0,328,330,3,60,30,0,329,327,1,0,0,0,330,
        333,1,0,0,0,331,329,1,0,0,0,331,332,1,0,0,0,332,335,1,0,0,0,333,
        331,1,0,0,0,334,336,5,48,0,0,335,334,1,0,0,0,335,336,1,0,0,0,336,
        338,1,0,0,0,337,326,1,0,0,0,337,338,1,0,0,0,338,339,1,0,0,0,339,
        340,5,53,0,0,340,59,1,0,0,0,341,344,3,62,31,0,342,344,3,64,32,0,
        343,341,1,0,0,0,343,342,1,0,0,0,344,61,1,0,0,0,345,346,7,3,0,0,346,
        63,1,0,0,0,347,349,5,49,0,0,348,347,1,0,0,0,348,349,1,0,0,0,349,
        350,1,0,0,0,350,353,5,57,0,0,351,353,5,58,0,0,352,348,1,0,0,0,352,
        351,1,0,0,0,353,65,1,0,0,0,354,355,5,7,0,0,355,357,3,98,49,0,356,
        358,3,68,34,0,357,356,1,0,0,0,357,358,1,0,0,0,358,368,1,0,0,0,359,
        360,5,27,0,0,360,365,3,70,35,0,361,362,5,48,0,0,362,364,3,70,35,
        0,363,361,1,0,0,0,364,367,1,0,0,0,365,363,1,0,0,0,365,366,1,0,0,
        0,366,369,1,0,0,0,367,365,1,0,0,0,368,359,1,0,0,0,368,369,1,0,0,
        0,369,370,1,0,0,0,370,374,5,54,0,0,371,373,3,72,36,0,372,371,1,0,
        0,0,373,376,1,0,0,0,374,372,1,0,0,0,374,375,1,0,0,0,375,377,1,0,
        0,0,376,374,1,0,0,0,377,378,5,55,0,0,378,67,1,0,0,0,379,380,5,28,
        0,0,380,381,3,98,49,0,381,69,1,0,0,0,382,383,3,98,49,0,383,385,5,
        57,0,0,384,386,3,68,34,0,385,384,1,0,0,0,385,386,1,0,0,0,386,71,
        1,0,0,0,387,388,5,58,0,0,388,389,5,50,0,0,389,391,3,98,49,0,390,
        392,3,98,49,0,391,390,1,0,0,0,391,392,1,0,0,0,392,393,1,0,0,0,393,
        394,5,51,0,0,394,395,3,54,27,0,395,398,3,64,32,0,396,397,5,29,0,
        0,397,399,7,4,0,0,398,396,1,0,0,0,398,399,1,0,0,0,399,73,1,0,0,0,
        400,401,5,8,0,0,401,402,3,98,49,0,402,403,5,30,0,0,403,404,3,64,
        32,0,404,408,5,54,0,0,405,407,3,72,36,0,406,405,1,0,0,0,407,410,
        1,0,0,0,408,406,1,0,0,0,408,409,1,0,0,0,409,412,1,0,0,0,410,408,
        1,0,0,0,411,413,3,76,38,0,412,411,1,0,0,0,412,413,1,0,0,0,413,414,
        1,0,0,0,414,415,5,55,0,0,415,75,1,0,0,0,416,417,5,31,0,0,417,418,
        5,58,0,0,418,77,1,0,0,0,419,420,5,9,0,0,420,421,5,59,0,0,421,425,
        5,54,0,0,422,424,3,80,40,0,423,422,1,0,0,0,424,427,1,0,0,0,425,423,
        1,0,0,0,425,426,1,0,0,0,426,428,1,0,0,0,427,425,1,0,0,0,428,429,
        5,55,0,0,429,79,1,0,0,0,430,434,3,82,41,0,431,433,3,82,41,0,432,
        431,1,0,0,0,433,436,1,0,0,0,434,432,1,0,0,0,434,435,1,0,0,0,435,
        437,1,0,0,0,436,434,1,0,0,0,437,438,5,47,0,0,438,439,3,98,49,0,439,
        81,1,0,0,0,440,442,5,36,0,0,441,440,1,0,0,0,441,442,1,0,0,0,442,
        443,1,0,0,0,443,447,5,58,0,0,444,446,3,84,42,0,445,444,1,0,0,0,446,
        449,1,0,0,0,447,445,1,0,0,0,447,448,1,0,0,0,448,452,1,0,0,0,449,
        447,1,0,0,0,450,451,5,25,0,0,451,453,3,64,32,0,452,450,1,0,0,0,452,
        453,1,0,0,0,453,456,1,0,0,0,454,455,5,26,0,0,455,457,5,58,0,0,456,
        454,1,0,0,0,456,457,1,0,0,0,457,83,1,0,0,0,458,464,3,62,31,0,459,
        461,5,49,0,0,460,459,1,0,0,0,460,461,1,0,0,0,461,462,1,0,0,0,462,
        464,5,57,0,0,463,458,1,0,0,0,463,460,1,0,0,0,464,85,1,0,0,0,465,
        466,5,10,0,0,466,467,3,88,44,0,467,471,5,54,0,0,468,470,3,14,7,0,
        469,468,1,0,0,0,470,473,1,0,0,0,471,469,1,0,0,0,471,472,1,0,0,0,
        472,474,1,0,0,0,473,471,1,0,0,0,474,475,5,55,0,0,475,87,1,0,0,0,
        476,481,3,90,45,0,477,478,7,1,0,0,478,480,3,90,45,0,479,477,1,0,
        0,0,480,483,1,0,0,0,481,479,1,0,0,0,481,482,1,0,0,0,482,89,1,0,0,
        0,483,481,1,0,0,0,484,486,5,36,0,0,485,484,1,0,0,0,486,489,1,0,0,
        0,487,485,1,0,0,0,487,488,1,0,0,0,488,490,1,0,0,0,489,487,1,0,0,
        0,490,491,3,92,46,0,491,91,1,0,0,0,492,493,5,50,0,0,493,494,3,88,
        44,0,494,495,5,51,0,0,495,498,1,0,0,0,496,498,3,94,47,0,497,492,
        1,0,0,0,497,496,1,0,0,0,498,93,1,0,0,0,499,501,5,58,0,0,500,502,
        5,58,0,0,501,500,1,0,0,0,501,502,1,0,0,0,502,506,1,0,0,0,503,504,
        3,54,27,0,504,505,3,96,48,0,505,507,1,0,0,0,506,503,1,0,0,0,506,
        507,1,0,0,0,507,510,1,0,0,0,508,509,5,32,0,0,509,511,3,64,32,0,510,
        508,1,0,0,0,510,511,1,0,0,0,511,95,1,0,0,0,512,518,3,62,31,0,513,
        518,3,64,32,0,514,515,5,56,0,0,515,516,5,46,0,0,516,518,5,56,0,0,
        517,512,1,0,0,0,517,513,1,0,0,0,517,514,1,0,0,0,518,97,1,0,0,0,519,
        520,7,5,0,0,520,99,1,0,0,0,62,103,118,126,130,134,138,157,165,175,
        191,206,214,219,221,226,230,234,241,258,261,265,267,274,280,290,
        295,301,303,308,319,323,331,335,337,343,348,352,357,365,368,374,
        385,391,398,408,412,425,434,441,447,452,456,460,463,471,481,487,
        497,501,506,510,517
    ]

class GplParser ( Parser ):

    grammarFileName = "Gpl.g4"

    atn = ATNDeserializer().deserialize(serializedATN())

    decisionsToDFA = [ DFA(ds, i) for i, ds in enumerate(atn.decisionToState) ]

    sharedContextCache = PredictionContextCache()

    literalNames = [ "<INVALID>", "'policy'", "'include'", "'tunable'", 
                     "'set'", "'rule'", "'default'", "'expect'", "'promise'", 
                     "'test'", "'when'", "'match'", "'priority'", "'weight'", 
                     "'slice'", "'cpus'", "'migrate'", "'preempt'", "'max-wait'", 
                     "'perf'", "'inherit'", "'monitor'", "'after'", "'budget'", 
                     "'per'", "'within'", "'via'", "'under'", "'as'", "'of'", 
                     "'over'", "'else'", "'for'", "'in'", "'and'", "'or'", 
                     "'not'", "'=='", "'!='", "'<='", "'>='", "'<'", "'>'", 
                     "'=~'", "'~'", "'='", "'..'", "'->'", "','", "'-'", 
                     "'('", "')'", "'['", "']'", "'{'", "'}'", "<INVALID>", 
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>", 
                     "<INVALID>", "<INVALID>", "'&&'", "'||'", "'!'", "'!~'" ]

    symbolicNames = [ "<INVALID>", "POLICY", "INCLUDE", "TUNABLE", "SET", 
                      "RULE", "DEFAULT", "EXPECT", "PROMISE", "TEST", "WHEN", 
                      "MATCH", "PRIORITY", "WEIGHT", "SLICE", "CPUS", "MIGRATE", 
                      "PREEMPT", "MAX_WAIT", "PERF", "INHERIT", "MONITOR", 
                      "AFTER", "BUDGET", "PER", "WITHIN", "VIA", "UNDER", 
                      "AS", "OF", "OVER", "ELSE", "FOR", "IN", "AND", "OR", 
                      "NOT", "EQ", "NE", "LE", "GE", "LT", "GT", "REGEX", 
                      "GLOB", "ASSIGN", "DOTS", "ARROW", "COMMA", "MINUS", 
                      "LPAREN", "RPAREN", "LBRACKET", "RBRACKET", "LBRACE", 
                      "RBRACE", "CLOCK", "NUMBER", "WORD", "STRING", "RAW", 
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
    RULE_whenBlock = 43
    RULE_condition = 44
    RULE_conditionUnary = 45
    RULE_conditionPrimary = 46
    RULE_state = 47
    RULE_stateValue = 48
    RULE_anyName = 49

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
                   "fact", "factValue", "whenBlock", "condition", "conditionUnary", 
                   "conditionPrimary", "state", "stateValue", "anyName" ]

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
    WHEN=10
    MATCH=11
    PRIORITY=12
    WEIGHT=13
    SLICE=14
    CPUS=15
    MIGRATE=16
    PREEMPT=17
    MAX_WAIT=18
    PERF=19
    INHERIT=20
    MONITOR=21
    AFTER=22
    BUDGET=23
    PER=24
    WITHIN=25
    VIA=26
    UNDER=27
    AS=28
    OF=29
    OVER=30
    ELSE=31
    FOR=32
    IN=33
    AND=34
    OR=35
    NOT=36
    EQ=37
    NE=38
    LE=39
    GE=40
    LT=41
    GT=42
    REGEX=43
    GLOB=44
    ASSIGN=45
    DOTS=46
    ARROW=47
    COMMA=48
    MINUS=49
    LPAREN=50
    RPAREN=51
    LBRACKET=52
    RBRACKET=53
    LBRACE=54
    RBRACE=55
    CLOCK=56
    NUMBER=57
    WORD=58
    STRING=59
    RAW=60
    COMMENT=61
    BLANK=62
    C_AND=63
    C_OR=64
    C_NOT=65
    C_NOT_GLOB=66
    C_COMMENT=67
    OPEN_STRING=68
    OPEN_RAW=69
    ODD=70

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
            self.state = 103
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 2046) != 0):
                self.state = 100
                self.item()
                self.state = 105
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 106
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


        def whenBlock(self):
            return self.getTypedRuleContext(GplParser.WhenBlockContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_item




    def item(self):

        localctx = GplParser.ItemContext(self, self._ctx, self.state)
        self.enterRule(localctx, 2, self.RULE_item)
        try:
            self.state = 118
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [1]:
                self.enterOuterAlt(localctx, 1)
                self.state = 108
                self.policyBlock()
                pass
            elif token in [2]:
                self.enterOuterAlt(localctx, 2)
                self.state = 109
                self.includeItem()
                pass
            elif token in [3]:
                self.enterOuterAlt(localctx, 3)
                self.state = 110
                self.tunableItem()
                pass
            elif token in [4]:
                self.enterOuterAlt(localctx, 4)
                self.state = 111
                self.setItem()
                pass
            elif token in [5]:
                self.enterOuterAlt(localctx, 5)
                self.state = 112
                self.ruleBlock()
                pass
            elif token in [6]:
                self.enterOuterAlt(localctx, 6)
                self.state = 113
                self.defaultBlock()
                pass
            elif token in [7]:
                self.enterOuterAlt(localctx, 7)
                self.state = 114
                self.expectBlock()
                pass
            elif token in [8]:
                self.enterOuterAlt(localctx, 8)
                self.state = 115
                self.promiseBlock()
                pass
            elif token in [9]:
                self.enterOuterAlt(localctx, 9)
                self.state = 116
                self.testBlock()
                pass
            elif token in [10]:
                self.enterOuterAlt(localctx, 10)
                self.state = 117
                self.whenBlock()
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
            self.state = 120
            self.match(GplParser.POLICY)
            self.state = 121
            self.anyName()
            self.state = 130
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==54:
                self.state = 122
                self.match(GplParser.LBRACE)
                self.state = 126
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==58:
                    self.state = 123
                    self.policySetting()
                    self.state = 128
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 129
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
            self.state = 132
            self.match(GplParser.WORD)
            self.state = 134
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 70240029376512) != 0):
                self.state = 133
                self.comparator()


            self.state = 138
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [49, 57, 58]:
                self.state = 136
                self.scalar()
                pass
            elif token in [13]:
                self.state = 137
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
            self.state = 140
            self.match(GplParser.INCLUDE)
            self.state = 141
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
            self.state = 143
            self.match(GplParser.TUNABLE)
            self.state = 144
            self.match(GplParser.WORD)
            self.state = 145
            self.match(GplParser.ASSIGN)
            self.state = 146
            self.scalar()
            self.state = 147
            self.match(GplParser.IN)
            self.state = 148
            self.scalar()
            self.state = 149
            self.match(GplParser.DOTS)
            self.state = 150
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
            self.state = 152
            self.match(GplParser.SET)
            self.state = 153
            self.match(GplParser.WORD)
            self.state = 154
            self.match(GplParser.ASSIGN)
            self.state = 157
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [52]:
                self.state = 155
                self.listLiteral()
                pass
            elif token in [36, 50, 58]:
                self.state = 156
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
            self.state = 159
            self.match(GplParser.RULE)
            self.state = 160
            self.anyName()
            self.state = 161
            self.match(GplParser.LBRACE)
            self.state = 165
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 4192256) != 0):
                self.state = 162
                self.statement()
                self.state = 167
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 168
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
            self.state = 170
            self.match(GplParser.DEFAULT)
            self.state = 171
            self.match(GplParser.LBRACE)
            self.state = 175
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 4192256) != 0):
                self.state = 172
                self.statement()
                self.state = 177
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 178
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
            self.state = 191
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [11]:
                self.enterOuterAlt(localctx, 1)
                self.state = 180
                self.matchStatement()
                pass
            elif token in [12]:
                self.enterOuterAlt(localctx, 2)
                self.state = 181
                self.priorityStatement()
                pass
            elif token in [13]:
                self.enterOuterAlt(localctx, 3)
                self.state = 182
                self.weightStatement()
                pass
            elif token in [14]:
                self.enterOuterAlt(localctx, 4)
                self.state = 183
                self.sliceStatement()
                pass
            elif token in [15]:
                self.enterOuterAlt(localctx, 5)
                self.state = 184
                self.cpusStatement()
                pass
            elif token in [16]:
                self.enterOuterAlt(localctx, 6)
                self.state = 185
                self.migrateStatement()
                pass
            elif token in [17]:
                self.enterOuterAlt(localctx, 7)
                self.state = 186
                self.preemptStatement()
                pass
            elif token in [18]:
                self.enterOuterAlt(localctx, 8)
                self.state = 187
                self.maxWaitStatement()
                pass
            elif token in [19]:
                self.enterOuterAlt(localctx, 9)
                self.state = 188
                self.perfStatement()
                pass
            elif token in [20]:
                self.enterOuterAlt(localctx, 10)
                self.state = 189
                self.inheritStatement()
                pass
            elif token in [21]:
                self.enterOuterAlt(localctx, 11)
                self.state = 190
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
            self.state = 193
            self.match(GplParser.MATCH)
            self.state = 194
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
            self.state = 196
            self.match(GplParser.PRIORITY)
            self.state = 197
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
            self.state = 199
            self.match(GplParser.WEIGHT)
            self.state = 200
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
            self.state = 202
            self.match(GplParser.SLICE)
            self.state = 203
            self.scalar()
            self.state = 206
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==46:
                self.state = 204
                self.match(GplParser.DOTS)
                self.state = 205
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
            self.state = 208
            self.match(GplParser.CPUS)
            self.state = 209
            self.cpuTerm()
            self.state = 214
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==48:
                self.state = 210
                self.match(GplParser.COMMA)
                self.state = 211
                self.cpuTerm()
                self.state = 216
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 221
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==58:
                self.state = 217
                self.match(GplParser.WORD)
                self.state = 219
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==58:
                    self.state = 218
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
            self.state = 223
            self.match(GplParser.MIGRATE)
            self.state = 224
            self.match(GplParser.WORD)
            self.state = 226
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==58:
                self.state = 225
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

        def WORD(self):
            return self.getToken(GplParser.WORD, 0)

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
            self.state = 228
            self.match(GplParser.PREEMPT)
            self.state = 230
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==58:
                self.state = 229
                self.match(GplParser.WORD)


            self.state = 234
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==22:
                self.state = 232
                self.match(GplParser.AFTER)
                self.state = 233
                self.scalar()


            self.state = 241
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==23:
                self.state = 236
                self.match(GplParser.BUDGET)
                self.state = 237
                self.scalar()
                self.state = 238
                self.match(GplParser.PER)
                self.state = 239
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
            self.state = 243
            self.match(GplParser.MAX_WAIT)
            self.state = 244
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
            self.state = 246
            self.match(GplParser.PERF)
            self.state = 247
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
            self.state = 249
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
            self.state = 251
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
            self.state = 267
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [57]:
                self.enterOuterAlt(localctx, 1)
                self.state = 253
                self.match(GplParser.NUMBER)
                self.state = 258
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [49]:
                    self.state = 254
                    self.match(GplParser.MINUS)
                    self.state = 255
                    self.match(GplParser.NUMBER)
                    pass
                elif token in [29]:
                    self.state = 256
                    self.match(GplParser.OF)
                    self.state = 257
                    self.match(GplParser.WORD)
                    pass
                elif token in [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 48, 55, 58]:
                    pass
                else:
                    pass
                pass
            elif token in [36, 58]:
                self.enterOuterAlt(localctx, 2)
                self.state = 261
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==36:
                    self.state = 260
                    self.match(GplParser.NOT)


                self.state = 263
                self.match(GplParser.WORD)
                self.state = 265
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==57 or _la==59:
                    self.state = 264
                    _la = self._input.LA(1)
                    if not(_la==57 or _la==59):
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
            self.state = 269
            self.unary()
            self.state = 274
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==34 or _la==35:
                self.state = 270
                _la = self._input.LA(1)
                if not(_la==34 or _la==35):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 271
                self.unary()
                self.state = 276
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
            self.state = 280
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==36:
                self.state = 277
                self.match(GplParser.NOT)
                self.state = 282
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 283
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
            self.state = 290
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [50]:
                self.enterOuterAlt(localctx, 1)
                self.state = 285
                self.match(GplParser.LPAREN)
                self.state = 286
                self.expression()
                self.state = 287
                self.match(GplParser.RPAREN)
                pass
            elif token in [58]:
                self.enterOuterAlt(localctx, 2)
                self.state = 289
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
            self.state = 292
            self.match(GplParser.WORD)
            self.state = 295
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [59]:
                self.state = 293
                self.match(GplParser.STRING)
                pass
            elif token in [52]:
                self.state = 294
                self.index()
                pass
            elif token in [-1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 25, 27, 33, 34, 35, 37, 38, 39, 40, 41, 42, 43, 44, 45, 51, 55]:
                pass
            else:
                pass
            self.state = 303
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==25:
                self.state = 297
                self.match(GplParser.WITHIN)
                self.state = 298
                self.scalar()
                self.state = 301
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==26:
                    self.state = 299
                    self.match(GplParser.VIA)
                    self.state = 300
                    self.match(GplParser.WORD)




            self.state = 308
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 70240029376512) != 0):
                self.state = 305
                self.comparator()
                self.state = 306
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
            self.state = 310
            self.match(GplParser.LBRACKET)
            self.state = 311
            self.match(GplParser.NUMBER)
            self.state = 312
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
            self.state = 314
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 70240029376512) != 0)):
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
            self.state = 323
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [49, 57, 58]:
                self.enterOuterAlt(localctx, 1)
                self.state = 316
                self.scalar()
                self.state = 319
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==46:
                    self.state = 317
                    self.match(GplParser.DOTS)
                    self.state = 318
                    self.scalar()


                pass
            elif token in [59, 60]:
                self.enterOuterAlt(localctx, 2)
                self.state = 321
                self.text()
                pass
            elif token in [52]:
                self.enterOuterAlt(localctx, 3)
                self.state = 322
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
            self.state = 325
            self.match(GplParser.LBRACKET)
            self.state = 337
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 2162290771091259392) != 0):
                self.state = 326
                self.element()
                self.state = 331
                self._errHandler.sync(self)
                _alt = self._interp.adaptivePredict(self._input,31,self._ctx)
                while _alt!=2 and _alt!=ATN.INVALID_ALT_NUMBER:
                    if _alt==1:
                        self.state = 327
                        self.match(GplParser.COMMA)
                        self.state = 328
                        self.element() 
                    self.state = 333
                    self._errHandler.sync(self)
                    _alt = self._interp.adaptivePredict(self._input,31,self._ctx)

                self.state = 335
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==48:
                    self.state = 334
                    self.match(GplParser.COMMA)




            self.state = 339
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
            self.state = 343
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [59, 60]:
                self.enterOuterAlt(localctx, 1)
                self.state = 341
                self.text()
                pass
            elif token in [49, 57, 58]:
                self.enterOuterAlt(localctx, 2)
                self.state = 342
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
            self.state = 345
            _la = self._input.LA(1)
            if not(_la==59 or _la==60):
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
            self.state = 352
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [49, 57]:
                self.enterOuterAlt(localctx, 1)
                self.state = 348
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==49:
                    self.state = 347
                    self.match(GplParser.MINUS)


                self.state = 350
                self.match(GplParser.NUMBER)
                pass
            elif token in [58]:
                self.enterOuterAlt(localctx, 2)
                self.state = 351
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
            self.state = 354
            self.match(GplParser.EXPECT)
            self.state = 355
            self.anyName()
            self.state = 357
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==28:
                self.state = 356
                self.asRule()


            self.state = 368
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==27:
                self.state = 359
                self.match(GplParser.UNDER)
                self.state = 360
                self.load()
                self.state = 365
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==48:
                    self.state = 361
                    self.match(GplParser.COMMA)
                    self.state = 362
                    self.load()
                    self.state = 367
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 370
            self.match(GplParser.LBRACE)
            self.state = 374
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==58:
                self.state = 371
                self.claim()
                self.state = 376
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 377
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
            self.state = 379
            self.match(GplParser.AS)
            self.state = 380
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
            self.state = 382
            self.anyName()
            self.state = 383
            self.match(GplParser.NUMBER)
            self.state = 385
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==28:
                self.state = 384
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
            self.state = 387
            self.match(GplParser.WORD)
            self.state = 388
            self.match(GplParser.LPAREN)
            self.state = 389
            self.anyName()
            self.state = 391
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 288230513590665214) != 0):
                self.state = 390
                self.anyName()


            self.state = 393
            self.match(GplParser.RPAREN)
            self.state = 394
            self.comparator()
            self.state = 395
            self.scalar()
            self.state = 398
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==29:
                self.state = 396
                self.match(GplParser.OF)
                self.state = 397
                _la = self._input.LA(1)
                if not(_la==58 or _la==59):
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
            self.state = 400
            self.match(GplParser.PROMISE)
            self.state = 401
            self.anyName()
            self.state = 402
            self.match(GplParser.OVER)
            self.state = 403
            self.scalar()
            self.state = 404
            self.match(GplParser.LBRACE)
            self.state = 408
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==58:
                self.state = 405
                self.claim()
                self.state = 410
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 412
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==31:
                self.state = 411
                self.otherwise()


            self.state = 414
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
            self.state = 416
            self.match(GplParser.ELSE)
            self.state = 417
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
            self.state = 419
            self.match(GplParser.TEST)
            self.state = 420
            self.match(GplParser.STRING)
            self.state = 421
            self.match(GplParser.LBRACE)
            self.state = 425
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==36 or _la==58:
                self.state = 422
                self.testLine()
                self.state = 427
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 428
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
            self.state = 430
            self.fact()
            self.state = 434
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==36 or _la==58:
                self.state = 431
                self.fact()
                self.state = 436
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 437
            self.match(GplParser.ARROW)
            self.state = 438
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
            self.state = 441
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==36:
                self.state = 440
                self.match(GplParser.NOT)


            self.state = 443
            self.match(GplParser.WORD)
            self.state = 447
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 1874060394939547648) != 0):
                self.state = 444
                self.factValue()
                self.state = 449
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 452
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==25:
                self.state = 450
                self.match(GplParser.WITHIN)
                self.state = 451
                self.scalar()


            self.state = 456
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==26:
                self.state = 454
                self.match(GplParser.VIA)
                self.state = 455
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
            self.state = 463
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [59, 60]:
                self.enterOuterAlt(localctx, 1)
                self.state = 458
                self.text()
                pass
            elif token in [49, 57]:
                self.enterOuterAlt(localctx, 2)
                self.state = 460
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==49:
                    self.state = 459
                    self.match(GplParser.MINUS)


                self.state = 462
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


    class WhenBlockContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def WHEN(self):
            return self.getToken(GplParser.WHEN, 0)

        def condition(self):
            return self.getTypedRuleContext(GplParser.ConditionContext,0)


        def LBRACE(self):
            return self.getToken(GplParser.LBRACE, 0)

        def RBRACE(self):
            return self.getToken(GplParser.RBRACE, 0)

        def ruleBlock(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.RuleBlockContext)
            else:
                return self.getTypedRuleContext(GplParser.RuleBlockContext,i)


        def getRuleIndex(self):
            return GplParser.RULE_whenBlock




    def whenBlock(self):

        localctx = GplParser.WhenBlockContext(self, self._ctx, self.state)
        self.enterRule(localctx, 86, self.RULE_whenBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 465
            self.match(GplParser.WHEN)
            self.state = 466
            self.condition()
            self.state = 467
            self.match(GplParser.LBRACE)
            self.state = 471
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==5:
                self.state = 468
                self.ruleBlock()
                self.state = 473
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 474
            self.match(GplParser.RBRACE)
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ConditionContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def conditionUnary(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.ConditionUnaryContext)
            else:
                return self.getTypedRuleContext(GplParser.ConditionUnaryContext,i)


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
            return GplParser.RULE_condition




    def condition(self):

        localctx = GplParser.ConditionContext(self, self._ctx, self.state)
        self.enterRule(localctx, 88, self.RULE_condition)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 476
            self.conditionUnary()
            self.state = 481
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==34 or _la==35:
                self.state = 477
                _la = self._input.LA(1)
                if not(_la==34 or _la==35):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 478
                self.conditionUnary()
                self.state = 483
                self._errHandler.sync(self)
                _la = self._input.LA(1)

        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ConditionUnaryContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def conditionPrimary(self):
            return self.getTypedRuleContext(GplParser.ConditionPrimaryContext,0)


        def NOT(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.NOT)
            else:
                return self.getToken(GplParser.NOT, i)

        def getRuleIndex(self):
            return GplParser.RULE_conditionUnary




    def conditionUnary(self):

        localctx = GplParser.ConditionUnaryContext(self, self._ctx, self.state)
        self.enterRule(localctx, 90, self.RULE_conditionUnary)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 487
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==36:
                self.state = 484
                self.match(GplParser.NOT)
                self.state = 489
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 490
            self.conditionPrimary()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ConditionPrimaryContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def LPAREN(self):
            return self.getToken(GplParser.LPAREN, 0)

        def condition(self):
            return self.getTypedRuleContext(GplParser.ConditionContext,0)


        def RPAREN(self):
            return self.getToken(GplParser.RPAREN, 0)

        def state_(self):
            return self.getTypedRuleContext(GplParser.StateContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_conditionPrimary




    def conditionPrimary(self):

        localctx = GplParser.ConditionPrimaryContext(self, self._ctx, self.state)
        self.enterRule(localctx, 92, self.RULE_conditionPrimary)
        try:
            self.state = 497
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [50]:
                self.enterOuterAlt(localctx, 1)
                self.state = 492
                self.match(GplParser.LPAREN)
                self.state = 493
                self.condition()
                self.state = 494
                self.match(GplParser.RPAREN)
                pass
            elif token in [58]:
                self.enterOuterAlt(localctx, 2)
                self.state = 496
                self.state_()
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


    class StateContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def WORD(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.WORD)
            else:
                return self.getToken(GplParser.WORD, i)

        def comparator(self):
            return self.getTypedRuleContext(GplParser.ComparatorContext,0)


        def stateValue(self):
            return self.getTypedRuleContext(GplParser.StateValueContext,0)


        def FOR(self):
            return self.getToken(GplParser.FOR, 0)

        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def getRuleIndex(self):
            return GplParser.RULE_state




    def state_(self):

        localctx = GplParser.StateContext(self, self._ctx, self.state)
        self.enterRule(localctx, 94, self.RULE_state)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 499
            self.match(GplParser.WORD)
            self.state = 501
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==58:
                self.state = 500
                self.match(GplParser.WORD)


            self.state = 506
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 70240029376512) != 0):
                self.state = 503
                self.comparator()
                self.state = 504
                self.stateValue()


            self.state = 510
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==32:
                self.state = 508
                self.match(GplParser.FOR)
                self.state = 509
                self.scalar()


        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class StateValueContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def text(self):
            return self.getTypedRuleContext(GplParser.TextContext,0)


        def scalar(self):
            return self.getTypedRuleContext(GplParser.ScalarContext,0)


        def CLOCK(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.CLOCK)
            else:
                return self.getToken(GplParser.CLOCK, i)

        def DOTS(self):
            return self.getToken(GplParser.DOTS, 0)

        def getRuleIndex(self):
            return GplParser.RULE_stateValue




    def stateValue(self):

        localctx = GplParser.StateValueContext(self, self._ctx, self.state)
        self.enterRule(localctx, 96, self.RULE_stateValue)
        try:
            self.state = 517
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [59, 60]:
                self.enterOuterAlt(localctx, 1)
                self.state = 512
                self.text()
                pass
            elif token in [49, 57, 58]:
                self.enterOuterAlt(localctx, 2)
                self.state = 513
                self.scalar()
                pass
            elif token in [56]:
                self.enterOuterAlt(localctx, 3)
                self.state = 514
                self.match(GplParser.CLOCK)
                self.state = 515
                self.match(GplParser.DOTS)
                self.state = 516
                self.match(GplParser.CLOCK)
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

        def WHEN(self):
            return self.getToken(GplParser.WHEN, 0)

        def FOR(self):
            return self.getToken(GplParser.FOR, 0)

        def getRuleIndex(self):
            return GplParser.RULE_anyName




    def anyName(self):

        localctx = GplParser.AnyNameContext(self, self._ctx, self.state)
        self.enterRule(localctx, 98, self.RULE_anyName)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 519
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 288230513590665214) != 0)):
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






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
        4,1,71,535,2,0,7,0,2,1,7,1,2,2,7,2,2,3,7,3,2,4,7,4,2,5,7,5,2,6,7,
        6,2,7,7,7,2,8,7,8,2,9,7,9,2,10,7,10,2,11,7,11,2,12,7,12,2,13,7,13,
        2,14,7,14,2,15,7,15,2,16,7,16,2,17,7,17,2,18,7,18,2,19,7,19,2,20,
        7,20,2,21,7,21,2,22,7,22,2,23,7,23,2,24,7,24,2,25,7,25,2,26,7,26,
        2,27,7,27,2,28,7,28,2,29,7,29,2,30,7,30,2,31,7,31,2,32,7,32,2,33,
        7,33,2,34,7,34,2,35,7,35,2,36,7,36,2,37,7,37,2,38,7,38,2,39,7,39,
        2,40,7,40,2,41,7,41,2,42,7,42,2,43,7,43,2,44,7,44,2,45,7,45,2,46,
        7,46,2,47,7,47,2,48,7,48,2,49,7,49,2,50,7,50,1,0,5,0,104,8,0,10,
        0,12,0,107,9,0,1,0,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3,
        1,121,8,1,1,2,1,2,1,2,1,2,5,2,127,8,2,10,2,12,2,130,9,2,1,2,3,2,
        133,8,2,1,3,1,3,3,3,137,8,3,1,3,1,3,3,3,141,8,3,1,4,1,4,1,4,1,5,
        1,5,1,5,1,5,1,5,1,5,1,5,1,5,1,5,1,6,1,6,1,6,1,6,1,6,3,6,160,8,6,
        1,7,1,7,1,7,1,7,5,7,166,8,7,10,7,12,7,169,9,7,1,7,1,7,1,8,1,8,1,
        8,5,8,176,8,8,10,8,12,8,179,9,8,1,8,1,8,1,9,1,9,1,9,1,9,1,9,1,9,
        1,9,1,9,1,9,1,9,1,9,1,9,3,9,195,8,9,1,10,1,10,1,10,1,11,1,11,1,11,
        1,12,1,12,1,12,1,13,1,13,1,13,1,13,3,13,210,8,13,1,14,1,14,1,14,
        1,14,5,14,216,8,14,10,14,12,14,219,9,14,1,14,1,14,3,14,223,8,14,
        3,14,225,8,14,1,15,1,15,1,15,3,15,230,8,15,1,16,1,16,3,16,234,8,
        16,1,16,1,16,3,16,238,8,16,1,16,1,16,1,16,1,16,1,16,3,16,245,8,16,
        1,17,1,17,1,17,1,18,1,18,1,18,1,19,1,19,1,19,1,19,3,19,257,8,19,
        1,19,1,19,3,19,261,8,19,1,20,1,20,1,21,1,21,1,22,1,22,1,22,1,22,
        1,22,3,22,272,8,22,1,22,3,22,275,8,22,1,22,1,22,3,22,279,8,22,3,
        22,281,8,22,1,23,1,23,1,23,5,23,286,8,23,10,23,12,23,289,9,23,1,
        24,5,24,292,8,24,10,24,12,24,295,9,24,1,24,1,24,1,25,1,25,1,25,1,
        25,1,25,3,25,304,8,25,1,26,1,26,1,26,3,26,309,8,26,1,26,1,26,1,26,
        1,26,3,26,315,8,26,3,26,317,8,26,1,26,1,26,1,26,3,26,322,8,26,1,
        27,1,27,1,27,1,27,1,28,1,28,1,29,1,29,1,29,3,29,333,8,29,1,29,1,
        29,3,29,337,8,29,1,30,1,30,1,30,1,30,5,30,343,8,30,10,30,12,30,346,
        9,30,1,30,3,30,349,8,30,3,30,351,8,30,1,30,1,30,1,31,1,31,3,31,357,
        8,31,1,32,1,32,1,33,3,33,362,8,33,1,33,1,33,3,33,366,8,33,1,34,1,
        34,1,34,3,34,371,8,34,1,34,1,34,1,34,1,34,5,34,377,8,34,10,34,12,
        34,380,9,34,3,34,382,8,34,1,34,1,34,5,34,386,8,34,10,34,12,34,389,
        9,34,1,34,1,34,1,35,1,35,1,35,1,36,1,36,1,36,3,36,399,8,36,1,37,
        1,37,1,37,1,37,3,37,405,8,37,1,37,1,37,1,37,1,37,1,37,3,37,412,8,
        37,1,38,1,38,1,38,1,38,1,38,1,38,5,38,420,8,38,10,38,12,38,423,9,
        38,1,38,3,38,426,8,38,1,38,1,38,1,39,1,39,1,39,1,40,1,40,1,40,1,
        40,5,40,437,8,40,10,40,12,40,440,9,40,1,40,1,40,1,41,1,41,5,41,446,
        8,41,10,41,12,41,449,9,41,1,41,1,41,1,41,1,42,3,42,455,8,42,1,42,
        1,42,5,42,459,8,42,10,42,12,42,462,9,42,1,42,1,42,3,42,466,8,42,
        1,42,1,42,3,42,470,8,42,1,43,1,43,3,43,474,8,43,1,43,3,43,477,8,
        43,1,44,1,44,1,44,1,44,5,44,483,8,44,10,44,12,44,486,9,44,1,44,1,
        44,1,45,1,45,1,45,5,45,493,8,45,10,45,12,45,496,9,45,1,46,5,46,499,
        8,46,10,46,12,46,502,9,46,1,46,1,46,1,47,1,47,1,47,1,47,1,47,3,47,
        511,8,47,1,48,1,48,3,48,515,8,48,1,48,1,48,1,48,3,48,520,8,48,1,
        48,1,48,3,48,524,8,48,1,49,1,49,1,49,1,49,1,49,3,49,531,8,49,1,50,
        1,50,1,50,0,0,51,0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,
        36,38,40,42,44,46,48,50,52,54,56,58,60,62,64,66,68,70,72,74,76,78,
        80,82,84,86,88,90,92,94,96,98,100,0,7,2,0,58,58,60,60,1,0,35,36,
        3,0,28,28,34,34,38,46,1,0,60,61,2,0,20,20,59,59,1,0,59,60,2,0,1,
        37,59,59,569,0,105,1,0,0,0,2,120,1,0,0,0,4,122,1,0,0,0,6,134,1,0,
        0,0,8,142,1,0,0,0,10,145,1,0,0,0,12,154,1,0,0,0,14,161,1,0,0,0,16,
        172,1,0,0,0,18,194,1,0,0,0,20,196,1,0,0,0,22,199,1,0,0,0,24,202,
        1,0,0,0,26,205,1,0,0,0,28,211,1,0,0,0,30,226,1,0,0,0,32,231,1,0,
        0,0,34,246,1,0,0,0,36,249,1,0,0,0,38,252,1,0,0,0,40,262,1,0,0,0,
        42,264,1,0,0,0,44,280,1,0,0,0,46,282,1,0,0,0,48,293,1,0,0,0,50,303,
        1,0,0,0,52,305,1,0,0,0,54,323,1,0,0,0,56,327,1,0,0,0,58,336,1,0,
        0,0,60,338,1,0,0,0,62,356,1,0,0,0,64,358,1,0,0,0,66,365,1,0,0,0,
        68,367,1,0,0,0,70,392,1,0,0,0,72,395,1,0,0,0,74,400,1,0,0,0,76,413,
        1,0,0,0,78,429,1,0,0,0,80,432,1,0,0,0,82,443,1,0,0,0,84,454,1,0,
        0,0,86,476,1,0,0,0,88,478,1,0,0,0,90,489,1,0,0,0,92,500,1,0,0,0,
        94,510,1,0,0,0,96,512,1,0,0,0,98,530,1,0,0,0,100,532,1,0,0,0,102,
        104,3,2,1,0,103,102,1,0,0,0,104,107,1,0,0,0,105,103,1,0,0,0,105,
        106,1,0,0,0,106,108,1,0,0,0,107,105,1,0,0,0,108,109,5,0,0,1,109,
        1,1,0,0,0,110,121,3,4,2,0,111,121,3,8,4,0,112,121,3,10,5,0,113,121,
        3,12,6,0,114,121,3,14,7,0,115,121,3,16,8,0,116,121,3,68,34,0,117,
        121,3,76,38,0,118,121,3,80,40,0,119,121,3,88,44,0,120,110,1,0,0,
        0,120,111,1,0,0,0,120,112,1,0,0,0,120,113,1,0,0,0,120,114,1,0,0,
        0,120,115,1,0,0,0,120,116,1,0,0,0,120,117,1,0,0,0,120,118,1,0,0,
        0,120,119,1,0,0,0,121,3,1,0,0,0,122,123,5,1,0,0,123,132,3,100,50,
        0,124,128,5,55,0,0,125,127,3,6,3,0,126,125,1,0,0,0,127,130,1,0,0,
        0,128,126,1,0,0,0,128,129,1,0,0,0,129,131,1,0,0,0,130,128,1,0,0,
        0,131,133,5,56,0,0,132,124,1,0,0,0,132,133,1,0,0,0,133,5,1,0,0,0,
        134,136,5,59,0,0,135,137,3,56,28,0,136,135,1,0,0,0,136,137,1,0,0,
        0,137,140,1,0,0,0,138,141,3,66,33,0,139,141,5,13,0,0,140,138,1,0,
        0,0,140,139,1,0,0,0,141,7,1,0,0,0,142,143,5,2,0,0,143,144,5,60,0,
        0,144,9,1,0,0,0,145,146,5,3,0,0,146,147,5,59,0,0,147,148,5,46,0,
        0,148,149,3,66,33,0,149,150,5,34,0,0,150,151,3,66,33,0,151,152,5,
        47,0,0,152,153,3,66,33,0,153,11,1,0,0,0,154,155,5,4,0,0,155,156,
        5,59,0,0,156,159,5,46,0,0,157,160,3,60,30,0,158,160,3,46,23,0,159,
        157,1,0,0,0,159,158,1,0,0,0,160,13,1,0,0,0,161,162,5,5,0,0,162,163,
        3,100,50,0,163,167,5,55,0,0,164,166,3,18,9,0,165,164,1,0,0,0,166,
        169,1,0,0,0,167,165,1,0,0,0,167,168,1,0,0,0,168,170,1,0,0,0,169,
        167,1,0,0,0,170,171,5,56,0,0,171,15,1,0,0,0,172,173,5,6,0,0,173,
        177,5,55,0,0,174,176,3,18,9,0,175,174,1,0,0,0,176,179,1,0,0,0,177,
        175,1,0,0,0,177,178,1,0,0,0,178,180,1,0,0,0,179,177,1,0,0,0,180,
        181,5,56,0,0,181,17,1,0,0,0,182,195,3,20,10,0,183,195,3,22,11,0,
        184,195,3,24,12,0,185,195,3,26,13,0,186,195,3,28,14,0,187,195,3,
        30,15,0,188,195,3,32,16,0,189,195,3,34,17,0,190,195,3,36,18,0,191,
        195,3,38,19,0,192,195,3,40,20,0,193,195,3,42,21,0,194,182,1,0,0,
        0,194,183,1,0,0,0,194,184,1,0,0,0,194,185,1,0,0,0,194,186,1,0,0,
        0,194,187,1,0,0,0,194,188,1,0,0,0,194,189,1,0,0,0,194,190,1,0,0,
        0,194,191,1,0,0,0,194,192,1,0,0,0,194,193,1,0,0,0,195,19,1,0,0,0,
        196,197,5,11,0,0,197,198,3,46,23,0,198,21,1,0,0,0,199,200,5,12,0,
        0,200,201,5,59,0,0,201,23,1,0,0,0,202,203,5,13,0,0,203,204,3,66,
        33,0,204,25,1,0,0,0,205,206,5,14,0,0,206,209,3,66,33,0,207,208,5,
        47,0,0,208,210,3,66,33,0,209,207,1,0,0,0,209,210,1,0,0,0,210,27,
        1,0,0,0,211,212,5,15,0,0,212,217,3,44,22,0,213,214,5,49,0,0,214,
        216,3,44,22,0,215,213,1,0,0,0,216,219,1,0,0,0,217,215,1,0,0,0,217,
        218,1,0,0,0,218,224,1,0,0,0,219,217,1,0,0,0,220,222,5,59,0,0,221,
        223,5,59,0,0,222,221,1,0,0,0,222,223,1,0,0,0,223,225,1,0,0,0,224,
        220,1,0,0,0,224,225,1,0,0,0,225,29,1,0,0,0,226,227,5,16,0,0,227,
        229,5,59,0,0,228,230,5,59,0,0,229,228,1,0,0,0,229,230,1,0,0,0,230,
        31,1,0,0,0,231,233,5,17,0,0,232,234,5,59,0,0,233,232,1,0,0,0,233,
        234,1,0,0,0,234,237,1,0,0,0,235,236,5,23,0,0,236,238,3,66,33,0,237,
        235,1,0,0,0,237,238,1,0,0,0,238,244,1,0,0,0,239,240,5,24,0,0,240,
        241,3,66,33,0,241,242,5,25,0,0,242,243,3,66,33,0,243,245,1,0,0,0,
        244,239,1,0,0,0,244,245,1,0,0,0,245,33,1,0,0,0,246,247,5,18,0,0,
        247,248,3,66,33,0,248,35,1,0,0,0,249,250,5,19,0,0,250,251,3,66,33,
        0,251,37,1,0,0,0,252,260,5,20,0,0,253,256,3,66,33,0,254,255,5,47,
        0,0,255,257,3,66,33,0,256,254,1,0,0,0,256,257,1,0,0,0,257,261,1,
        0,0,0,258,259,5,47,0,0,259,261,3,66,33,0,260,253,1,0,0,0,260,258,
        1,0,0,0,261,39,1,0,0,0,262,263,5,21,0,0,263,41,1,0,0,0,264,265,5,
        22,0,0,265,43,1,0,0,0,266,271,5,58,0,0,267,268,5,50,0,0,268,272,
        5,58,0,0,269,270,5,30,0,0,270,272,5,59,0,0,271,267,1,0,0,0,271,269,
        1,0,0,0,271,272,1,0,0,0,272,281,1,0,0,0,273,275,5,37,0,0,274,273,
        1,0,0,0,274,275,1,0,0,0,275,276,1,0,0,0,276,278,5,59,0,0,277,279,
        7,0,0,0,278,277,1,0,0,0,278,279,1,0,0,0,279,281,1,0,0,0,280,266,
        1,0,0,0,280,274,1,0,0,0,281,45,1,0,0,0,282,287,3,48,24,0,283,284,
        7,1,0,0,284,286,3,48,24,0,285,283,1,0,0,0,286,289,1,0,0,0,287,285,
        1,0,0,0,287,288,1,0,0,0,288,47,1,0,0,0,289,287,1,0,0,0,290,292,5,
        37,0,0,291,290,1,0,0,0,292,295,1,0,0,0,293,291,1,0,0,0,293,294,1,
        0,0,0,294,296,1,0,0,0,295,293,1,0,0,0,296,297,3,50,25,0,297,49,1,
        0,0,0,298,299,5,51,0,0,299,300,3,46,23,0,300,301,5,52,0,0,301,304,
        1,0,0,0,302,304,3,52,26,0,303,298,1,0,0,0,303,302,1,0,0,0,304,51,
        1,0,0,0,305,308,5,59,0,0,306,309,5,60,0,0,307,309,3,54,27,0,308,
        306,1,0,0,0,308,307,1,0,0,0,308,309,1,0,0,0,309,316,1,0,0,0,310,
        311,5,26,0,0,311,314,3,66,33,0,312,313,5,27,0,0,313,315,5,59,0,0,
        314,312,1,0,0,0,314,315,1,0,0,0,315,317,1,0,0,0,316,310,1,0,0,0,
        316,317,1,0,0,0,317,321,1,0,0,0,318,319,3,56,28,0,319,320,3,58,29,
        0,320,322,1,0,0,0,321,318,1,0,0,0,321,322,1,0,0,0,322,53,1,0,0,0,
        323,324,5,53,0,0,324,325,5,58,0,0,325,326,5,54,0,0,326,55,1,0,0,
        0,327,328,7,2,0,0,328,57,1,0,0,0,329,332,3,66,33,0,330,331,5,47,
        0,0,331,333,3,66,33,0,332,330,1,0,0,0,332,333,1,0,0,0,333,337,1,
        0,0,0,334,337,3,64,32,0,335,337,3,60,30,0,336,329,1,0,0,0,336,334,
        1,0,0,0,336,335,1,0,0,0,337,59,1,0,0,0,338,350,5,53,0,0,339,344,
        3,62,31,0,340,341,5,49,0,0,341,343,3,62,31,0,342,340,1,0,0,0,343,
        346,1,0,0,0,344,342,1,0,0,0,344,345,1,0,0,0,345,348,1,0,0,0,346,
        344,1,0,0,0,347,349,5,49,0,0,348,347,1,0,0,0,348,349,1,0,0,0,349,
        351,1,0,0,0,350,339,1,0,0,0,350,351,1,0,0,0,351,352,1,0,0,0,352,
        353,5,54,0,0,353,61,1,0,0,0,354,357,3,64,32,0,355,357,3,66,33,0,
        356,354,1,0,0,0,356,355,1,0,0,0,357,63,1,0,0,0,358,359,7,3,0,0,359,
        65,1,0,0,0,360,362,5,50,0,0,361,360,1,0,0,0,361,362,1,0,0,0,362,
        363,1,0,0,0,363,366,5,58,0,0,364,366,5,59,0,0,365,361,1,0,0,0,365,
        364,1,0,0,0,366,67,1,0,0,0,367,368,5,7,0,0,368,370,3,100,50,0,369,
        371,3,70,35,0,370,369,1,0,0,0,370,371,1,0,0,0,371,381,1,0,0,0,372,
        373,5,28,0,0,373,378,3,72,36,0,374,375,5,49,0,0,375,377,3,72,36,
        0,376,374,1,0,0,0,377,380,1,0,0,0,378,376,1,0,0,0,378,379,1,0,0,
        0,379,382,1,0,0,0,380,378,1,0,0,0,381,372,1,0,0,0,381,382,1,0,0,
        0,382,383,1,0,0,0,383,387,5,55,0,0,384,386,3,74,37,0,385,384,1,0,
        0,0,386,389,1,0,0,0,387,385,1,0,0,0,387,388,1,0,0,0,388,390,1,0,
        0,0,389,387,1,0,0,0,390,391,5,56,0,0,391,69,1,0,0,0,392,393,5,29,
        0,0,393,394,3,100,50,0,394,71,1,0,0,0,395,396,3,100,50,0,396,398,
        5,58,0,0,397,399,3,70,35,0,398,397,1,0,0,0,398,399,1,0,0,0,399,73,
        1,0,0,0,400,401,7,4,0,0,401,402,5,51,0,0,402,404,3,100,50,0,403,
        405,3,100,50,0,404,403,1,0,0,0,404,405,1,0,0,0,405,406,1,0,0,0,406,
        407,5,52,0,0,407,408,3,56,28,0,408,411,3,66,33,0,409,410,5,30,0,
        0,410,412,7,5,0,0,411,409,1,0,0,0,411,412,1,0,0,0,412,75,1,0,0,0,
        413,414,5,8,0,0,414,415,3,100,50,0,415,416,5,31,0,0,416,417,3,66,
        33,0,417,421,5,55,0,0,418,420,3,74,37,0,419,418,1,0,0,0,420,423,
        1,0,0,0,421,419,1,0,0,0,421,422,1,0,0,0,422,425,1,0,0,0,423,421,
        1,0,0,0,424,426,3,78,39,0,425,424,1,0,0,0,425,426,1,0,0,0,426,427,
        1,0,0,0,427,428,5,56,0,0,428,77,1,0,0,0,429,430,5,32,0,0,430,431,
        5,59,0,0,431,79,1,0,0,0,432,433,5,9,0,0,433,434,5,60,0,0,434,438,
        5,55,0,0,435,437,3,82,41,0,436,435,1,0,0,0,437,440,1,0,0,0,438,436,
        1,0,0,0,438,439,1,0,0,0,439,441,1,0,0,0,440,438,1,0,0,0,441,442,
        5,56,0,0,442,81,1,0,0,0,443,447,3,84,42,0,444,446,3,84,42,0,445,
        444,1,0,0,0,446,449,1,0,0,0,447,445,1,0,0,0,447,448,1,0,0,0,448,
        450,1,0,0,0,449,447,1,0,0,0,450,451,5,48,0,0,451,452,3,100,50,0,
        452,83,1,0,0,0,453,455,5,37,0,0,454,453,1,0,0,0,454,455,1,0,0,0,
        455,456,1,0,0,0,456,460,5,59,0,0,457,459,3,86,43,0,458,457,1,0,0,
        0,459,462,1,0,0,0,460,458,1,0,0,0,460,461,1,0,0,0,461,465,1,0,0,
        0,462,460,1,0,0,0,463,464,5,26,0,0,464,466,3,66,33,0,465,463,1,0,
        0,0,465,466,1,0,0,0,466,469,1,0,0,0,467,468,5,27,0,0,468,470,5,59,
        0,0,469,467,1,0,0,0,469,470,1,0,0,0,470,85,1,0,0,0,471,477,3,64,
        32,0,472,474,5,50,0,0,473,472,1,0,0,0,473,474,1,0,0,0,474,475,1,
        0,0,0,475,477,5,58,0,0,476,471,1,0,0,0,476,473,1,0,0,0,477,87,1,
        0,0,0,478,479,5,10,0,0,479,480,3,90,45,0,480,484,5,55,0,0,481,483,
        3,14,7,0,482,481,1,0,0,0,483,486,1,0,0,0,484,482,1,0,0,0,484,485,
        1,0,0,0,485,487,1,0,0,0,486,484,1,0,0,0,487,488,5,56,0,0,488,89,
        1,0,0,0,489,494,3,92,46,0,490,491,7,1,0,0,491,493,3,92,46,0,492,
        490,1,0,0,0,493,496,1,0,0,0,494,492,1,0,0,0,494,495,1,0,0,0,495,
        91,1,0,0,0,496,494,1,0,0,0,497,499,5,37,0,0,498,497,1,0,0,0,499,
        502,1,0,0,0,500,498,1,0,0,0,500,501,1,0,0,0,501,503,1,0,0,0,502,
        500,1,0,0,0,503,504,3,94,47,0,504,93,1,0,0,0,505,506,5,51,0,0,506,
        507,3,90,45,0,507,508,5,52,0,0,508,511,1,0,0,0,509,511,3,96,48,0,
        510,505,1,0,0,0,510,509,1,0,0,0,511,95,1,0,0,0,512,514,5,59,0,0,
        513,515,5,59,0,0,514,513,1,0,0,0,514,515,1,0,0,0,515,519,1,0,0,0,
        516,517,3,56,28,0,517,518,3,98,49,0,518,520,1,0,0,0,519,516,1,0,
        0,0,519,520,1,0,0,0,520,523,1,0,0,0,521,522,5,33,0,0,522,524,3,66,
        33,0,523,521,1,0,0,0,523,524,1,0,0,0,524,97,1,0,0,0,525,531,3,64,
        32,0,526,531,3,66,33,0,527,528,5,57,0,0,528,529,5,47,0,0,529,531,
        5,57,0,0,530,525,1,0,0,0,530,526,1,0,0,0,530,527,1,0,0,0,531,99,
        1,0,0,0,532,533,7,6,0,0,533,101,1,0,0,0,64,105,120,128,132,136,140,
        159,167,177,194,209,217,222,224,229,233,237,244,256,260,271,274,
        278,280,287,293,303,308,314,316,321,332,336,344,348,350,356,361,
        365,370,378,381,387,398,404,411,421,425,438,447,454,460,465,469,
        473,476,484,494,500,510,514,519,523,530
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
                     "'perf'", "'share'", "'inherit'", "'monitor'", "'after'", 
                     "'budget'", "'per'", "'within'", "'via'", "'under'", 
                     "'as'", "'of'", "'over'", "'else'", "'for'", "'in'", 
                     "'and'", "'or'", "'not'", "'=='", "'!='", "'<='", "'>='", 
                     "'<'", "'>'", "'=~'", "'~'", "'='", "'..'", "'->'", 
                     "','", "'-'", "'('", "')'", "'['", "']'", "'{'", "'}'", 
                     "<INVALID>", "<INVALID>", "<INVALID>", "<INVALID>", 
                     "<INVALID>", "<INVALID>", "<INVALID>", "'&&'", "'||'", 
                     "'!'", "'!~'" ]

    symbolicNames = [ "<INVALID>", "POLICY", "INCLUDE", "TUNABLE", "SET", 
                      "RULE", "DEFAULT", "EXPECT", "PROMISE", "TEST", "WHEN", 
                      "MATCH", "PRIORITY", "WEIGHT", "SLICE", "CPUS", "MIGRATE", 
                      "PREEMPT", "MAX_WAIT", "PERF", "SHARE", "INHERIT", 
                      "MONITOR", "AFTER", "BUDGET", "PER", "WITHIN", "VIA", 
                      "UNDER", "AS", "OF", "OVER", "ELSE", "FOR", "IN", 
                      "AND", "OR", "NOT", "EQ", "NE", "LE", "GE", "LT", 
                      "GT", "REGEX", "GLOB", "ASSIGN", "DOTS", "ARROW", 
                      "COMMA", "MINUS", "LPAREN", "RPAREN", "LBRACKET", 
                      "RBRACKET", "LBRACE", "RBRACE", "CLOCK", "NUMBER", 
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
    RULE_perfStatement = 18
    RULE_shareStatement = 19
    RULE_inheritStatement = 20
    RULE_monitorStatement = 21
    RULE_cpuTerm = 22
    RULE_expression = 23
    RULE_unary = 24
    RULE_primary = 25
    RULE_comparison = 26
    RULE_index = 27
    RULE_comparator = 28
    RULE_operand = 29
    RULE_listLiteral = 30
    RULE_element = 31
    RULE_text = 32
    RULE_scalar = 33
    RULE_expectBlock = 34
    RULE_asRule = 35
    RULE_load = 36
    RULE_claim = 37
    RULE_promiseBlock = 38
    RULE_otherwise = 39
    RULE_testBlock = 40
    RULE_testLine = 41
    RULE_fact = 42
    RULE_factValue = 43
    RULE_whenBlock = 44
    RULE_condition = 45
    RULE_conditionUnary = 46
    RULE_conditionPrimary = 47
    RULE_state = 48
    RULE_stateValue = 49
    RULE_anyName = 50

    ruleNames =  [ "policyFile", "item", "policyBlock", "policySetting", 
                   "includeItem", "tunableItem", "setItem", "ruleBlock", 
                   "defaultBlock", "statement", "matchStatement", "priorityStatement", 
                   "weightStatement", "sliceStatement", "cpusStatement", 
                   "migrateStatement", "preemptStatement", "maxWaitStatement", 
                   "perfStatement", "shareStatement", "inheritStatement", 
                   "monitorStatement", "cpuTerm", "expression", "unary", 
                   "primary", "comparison", "index", "comparator", "operand", 
                   "listLiteral", "element", "text", "scalar", "expectBlock", 
                   "asRule", "load", "claim", "promiseBlock", "otherwise", 
                   "testBlock", "testLine", "fact", "factValue", "whenBlock", 
                   "condition", "conditionUnary", "conditionPrimary", "state", 
                   "stateValue", "anyName" ]

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
    SHARE=20
    INHERIT=21
    MONITOR=22
    AFTER=23
    BUDGET=24
    PER=25
    WITHIN=26
    VIA=27
    UNDER=28
    AS=29
    OF=30
    OVER=31
    ELSE=32
    FOR=33
    IN=34
    AND=35
    OR=36
    NOT=37
    EQ=38
    NE=39
    LE=40
    GE=41
    LT=42
    GT=43
    REGEX=44
    GLOB=45
    ASSIGN=46
    DOTS=47
    ARROW=48
    COMMA=49
    MINUS=50
    LPAREN=51
    RPAREN=52
    LBRACKET=53
    RBRACKET=54
    LBRACE=55
    RBRACE=56
    CLOCK=57
    NUMBER=58
    WORD=59
    STRING=60
    RAW=61
    COMMENT=62
    BLANK=63
    C_AND=64
    C_OR=65
    C_NOT=66
    C_NOT_GLOB=67
    C_COMMENT=68
    OPEN_STRING=69
    OPEN_RAW=70
    ODD=71

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
            self.state = 105
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 2046) != 0):
                self.state = 102
                self.item()
                self.state = 107
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 108
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
            self.state = 120
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [1]:
                self.enterOuterAlt(localctx, 1)
                self.state = 110
                self.policyBlock()
                pass
            elif token in [2]:
                self.enterOuterAlt(localctx, 2)
                self.state = 111
                self.includeItem()
                pass
            elif token in [3]:
                self.enterOuterAlt(localctx, 3)
                self.state = 112
                self.tunableItem()
                pass
            elif token in [4]:
                self.enterOuterAlt(localctx, 4)
                self.state = 113
                self.setItem()
                pass
            elif token in [5]:
                self.enterOuterAlt(localctx, 5)
                self.state = 114
                self.ruleBlock()
                pass
            elif token in [6]:
                self.enterOuterAlt(localctx, 6)
                self.state = 115
                self.defaultBlock()
                pass
            elif token in [7]:
                self.enterOuterAlt(localctx, 7)
                self.state = 116
                self.expectBlock()
                pass
            elif token in [8]:
                self.enterOuterAlt(localctx, 8)
                self.state = 117
                self.promiseBlock()
                pass
            elif token in [9]:
                self.enterOuterAlt(localctx, 9)
                self.state = 118
                self.testBlock()
                pass
            elif token in [10]:
                self.enterOuterAlt(localctx, 10)
                self.state = 119
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
            self.state = 122
            self.match(GplParser.POLICY)
            self.state = 123
            self.anyName()
            self.state = 132
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==55:
                self.state = 124
                self.match(GplParser.LBRACE)
                self.state = 128
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==59:
                    self.state = 125
                    self.policySetting()
                    self.state = 130
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)

                self.state = 131
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
            self.state = 134
            self.match(GplParser.WORD)
            self.state = 136
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 140480058753024) != 0):
                self.state = 135
                self.comparator()


            self.state = 140
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [50, 58, 59]:
                self.state = 138
                self.scalar()
                pass
            elif token in [13]:
                self.state = 139
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
            self.state = 142
            self.match(GplParser.INCLUDE)
            self.state = 143
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
            self.state = 145
            self.match(GplParser.TUNABLE)
            self.state = 146
            self.match(GplParser.WORD)
            self.state = 147
            self.match(GplParser.ASSIGN)
            self.state = 148
            self.scalar()
            self.state = 149
            self.match(GplParser.IN)
            self.state = 150
            self.scalar()
            self.state = 151
            self.match(GplParser.DOTS)
            self.state = 152
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
            self.state = 154
            self.match(GplParser.SET)
            self.state = 155
            self.match(GplParser.WORD)
            self.state = 156
            self.match(GplParser.ASSIGN)
            self.state = 159
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [53]:
                self.state = 157
                self.listLiteral()
                pass
            elif token in [37, 51, 59]:
                self.state = 158
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
            self.state = 161
            self.match(GplParser.RULE)
            self.state = 162
            self.anyName()
            self.state = 163
            self.match(GplParser.LBRACE)
            self.state = 167
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 8386560) != 0):
                self.state = 164
                self.statement()
                self.state = 169
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 170
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
            self.state = 172
            self.match(GplParser.DEFAULT)
            self.state = 173
            self.match(GplParser.LBRACE)
            self.state = 177
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 8386560) != 0):
                self.state = 174
                self.statement()
                self.state = 179
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 180
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


        def shareStatement(self):
            return self.getTypedRuleContext(GplParser.ShareStatementContext,0)


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
            self.state = 194
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [11]:
                self.enterOuterAlt(localctx, 1)
                self.state = 182
                self.matchStatement()
                pass
            elif token in [12]:
                self.enterOuterAlt(localctx, 2)
                self.state = 183
                self.priorityStatement()
                pass
            elif token in [13]:
                self.enterOuterAlt(localctx, 3)
                self.state = 184
                self.weightStatement()
                pass
            elif token in [14]:
                self.enterOuterAlt(localctx, 4)
                self.state = 185
                self.sliceStatement()
                pass
            elif token in [15]:
                self.enterOuterAlt(localctx, 5)
                self.state = 186
                self.cpusStatement()
                pass
            elif token in [16]:
                self.enterOuterAlt(localctx, 6)
                self.state = 187
                self.migrateStatement()
                pass
            elif token in [17]:
                self.enterOuterAlt(localctx, 7)
                self.state = 188
                self.preemptStatement()
                pass
            elif token in [18]:
                self.enterOuterAlt(localctx, 8)
                self.state = 189
                self.maxWaitStatement()
                pass
            elif token in [19]:
                self.enterOuterAlt(localctx, 9)
                self.state = 190
                self.perfStatement()
                pass
            elif token in [20]:
                self.enterOuterAlt(localctx, 10)
                self.state = 191
                self.shareStatement()
                pass
            elif token in [21]:
                self.enterOuterAlt(localctx, 11)
                self.state = 192
                self.inheritStatement()
                pass
            elif token in [22]:
                self.enterOuterAlt(localctx, 12)
                self.state = 193
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
            self.state = 196
            self.match(GplParser.MATCH)
            self.state = 197
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
            self.state = 199
            self.match(GplParser.PRIORITY)
            self.state = 200
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
            self.state = 202
            self.match(GplParser.WEIGHT)
            self.state = 203
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
            self.state = 205
            self.match(GplParser.SLICE)
            self.state = 206
            self.scalar()
            self.state = 209
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==47:
                self.state = 207
                self.match(GplParser.DOTS)
                self.state = 208
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
            self.state = 211
            self.match(GplParser.CPUS)
            self.state = 212
            self.cpuTerm()
            self.state = 217
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==49:
                self.state = 213
                self.match(GplParser.COMMA)
                self.state = 214
                self.cpuTerm()
                self.state = 219
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 224
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==59:
                self.state = 220
                self.match(GplParser.WORD)
                self.state = 222
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==59:
                    self.state = 221
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
            self.state = 226
            self.match(GplParser.MIGRATE)
            self.state = 227
            self.match(GplParser.WORD)
            self.state = 229
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==59:
                self.state = 228
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
            self.state = 231
            self.match(GplParser.PREEMPT)
            self.state = 233
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==59:
                self.state = 232
                self.match(GplParser.WORD)


            self.state = 237
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==23:
                self.state = 235
                self.match(GplParser.AFTER)
                self.state = 236
                self.scalar()


            self.state = 244
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==24:
                self.state = 239
                self.match(GplParser.BUDGET)
                self.state = 240
                self.scalar()
                self.state = 241
                self.match(GplParser.PER)
                self.state = 242
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
            self.state = 246
            self.match(GplParser.MAX_WAIT)
            self.state = 247
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
            self.state = 249
            self.match(GplParser.PERF)
            self.state = 250
            self.scalar()
        except RecognitionException as re:
            localctx.exception = re
            self._errHandler.reportError(self, re)
            self._errHandler.recover(self, re)
        finally:
            self.exitRule()
        return localctx


    class ShareStatementContext(ParserRuleContext):
        __slots__ = 'parser'

        def __init__(self, parser, parent:ParserRuleContext=None, invokingState:int=-1):
            super().__init__(parent, invokingState)
            self.parser = parser

        def SHARE(self):
            return self.getToken(GplParser.SHARE, 0)

        def scalar(self, i:int=None):
            if i is None:
                return self.getTypedRuleContexts(GplParser.ScalarContext)
            else:
                return self.getTypedRuleContext(GplParser.ScalarContext,i)


        def DOTS(self):
            return self.getToken(GplParser.DOTS, 0)

        def getRuleIndex(self):
            return GplParser.RULE_shareStatement




    def shareStatement(self):

        localctx = GplParser.ShareStatementContext(self, self._ctx, self.state)
        self.enterRule(localctx, 38, self.RULE_shareStatement)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 252
            self.match(GplParser.SHARE)
            self.state = 260
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [50, 58, 59]:
                self.state = 253
                self.scalar()
                self.state = 256
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==47:
                    self.state = 254
                    self.match(GplParser.DOTS)
                    self.state = 255
                    self.scalar()


                pass
            elif token in [47]:
                self.state = 258
                self.match(GplParser.DOTS)
                self.state = 259
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
        self.enterRule(localctx, 40, self.RULE_inheritStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 262
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
        self.enterRule(localctx, 42, self.RULE_monitorStatement)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 264
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
        self.enterRule(localctx, 44, self.RULE_cpuTerm)
        self._la = 0 # Token type
        try:
            self.state = 280
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [58]:
                self.enterOuterAlt(localctx, 1)
                self.state = 266
                self.match(GplParser.NUMBER)
                self.state = 271
                self._errHandler.sync(self)
                token = self._input.LA(1)
                if token in [50]:
                    self.state = 267
                    self.match(GplParser.MINUS)
                    self.state = 268
                    self.match(GplParser.NUMBER)
                    pass
                elif token in [30]:
                    self.state = 269
                    self.match(GplParser.OF)
                    self.state = 270
                    self.match(GplParser.WORD)
                    pass
                elif token in [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 49, 56, 59]:
                    pass
                else:
                    pass
                pass
            elif token in [37, 59]:
                self.enterOuterAlt(localctx, 2)
                self.state = 274
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==37:
                    self.state = 273
                    self.match(GplParser.NOT)


                self.state = 276
                self.match(GplParser.WORD)
                self.state = 278
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==58 or _la==60:
                    self.state = 277
                    _la = self._input.LA(1)
                    if not(_la==58 or _la==60):
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
        self.enterRule(localctx, 46, self.RULE_expression)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 282
            self.unary()
            self.state = 287
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==35 or _la==36:
                self.state = 283
                _la = self._input.LA(1)
                if not(_la==35 or _la==36):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 284
                self.unary()
                self.state = 289
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
        self.enterRule(localctx, 48, self.RULE_unary)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 293
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==37:
                self.state = 290
                self.match(GplParser.NOT)
                self.state = 295
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 296
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
        self.enterRule(localctx, 50, self.RULE_primary)
        try:
            self.state = 303
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [51]:
                self.enterOuterAlt(localctx, 1)
                self.state = 298
                self.match(GplParser.LPAREN)
                self.state = 299
                self.expression()
                self.state = 300
                self.match(GplParser.RPAREN)
                pass
            elif token in [59]:
                self.enterOuterAlt(localctx, 2)
                self.state = 302
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
        self.enterRule(localctx, 52, self.RULE_comparison)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 305
            self.match(GplParser.WORD)
            self.state = 308
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [60]:
                self.state = 306
                self.match(GplParser.STRING)
                pass
            elif token in [53]:
                self.state = 307
                self.index()
                pass
            elif token in [-1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 26, 28, 34, 35, 36, 38, 39, 40, 41, 42, 43, 44, 45, 46, 52, 56]:
                pass
            else:
                pass
            self.state = 316
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==26:
                self.state = 310
                self.match(GplParser.WITHIN)
                self.state = 311
                self.scalar()
                self.state = 314
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==27:
                    self.state = 312
                    self.match(GplParser.VIA)
                    self.state = 313
                    self.match(GplParser.WORD)




            self.state = 321
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 140480058753024) != 0):
                self.state = 318
                self.comparator()
                self.state = 319
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
        self.enterRule(localctx, 54, self.RULE_index)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 323
            self.match(GplParser.LBRACKET)
            self.state = 324
            self.match(GplParser.NUMBER)
            self.state = 325
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
        self.enterRule(localctx, 56, self.RULE_comparator)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 327
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 140480058753024) != 0)):
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
        self.enterRule(localctx, 58, self.RULE_operand)
        self._la = 0 # Token type
        try:
            self.state = 336
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [50, 58, 59]:
                self.enterOuterAlt(localctx, 1)
                self.state = 329
                self.scalar()
                self.state = 332
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==47:
                    self.state = 330
                    self.match(GplParser.DOTS)
                    self.state = 331
                    self.scalar()


                pass
            elif token in [60, 61]:
                self.enterOuterAlt(localctx, 2)
                self.state = 334
                self.text()
                pass
            elif token in [53]:
                self.enterOuterAlt(localctx, 3)
                self.state = 335
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
        self.enterRule(localctx, 60, self.RULE_listLiteral)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 338
            self.match(GplParser.LBRACKET)
            self.state = 350
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 4324581542182518784) != 0):
                self.state = 339
                self.element()
                self.state = 344
                self._errHandler.sync(self)
                _alt = self._interp.adaptivePredict(self._input,33,self._ctx)
                while _alt!=2 and _alt!=ATN.INVALID_ALT_NUMBER:
                    if _alt==1:
                        self.state = 340
                        self.match(GplParser.COMMA)
                        self.state = 341
                        self.element() 
                    self.state = 346
                    self._errHandler.sync(self)
                    _alt = self._interp.adaptivePredict(self._input,33,self._ctx)

                self.state = 348
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==49:
                    self.state = 347
                    self.match(GplParser.COMMA)




            self.state = 352
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
        self.enterRule(localctx, 62, self.RULE_element)
        try:
            self.state = 356
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [60, 61]:
                self.enterOuterAlt(localctx, 1)
                self.state = 354
                self.text()
                pass
            elif token in [50, 58, 59]:
                self.enterOuterAlt(localctx, 2)
                self.state = 355
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
        self.enterRule(localctx, 64, self.RULE_text)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 358
            _la = self._input.LA(1)
            if not(_la==60 or _la==61):
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
        self.enterRule(localctx, 66, self.RULE_scalar)
        self._la = 0 # Token type
        try:
            self.state = 365
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [50, 58]:
                self.enterOuterAlt(localctx, 1)
                self.state = 361
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==50:
                    self.state = 360
                    self.match(GplParser.MINUS)


                self.state = 363
                self.match(GplParser.NUMBER)
                pass
            elif token in [59]:
                self.enterOuterAlt(localctx, 2)
                self.state = 364
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
        self.enterRule(localctx, 68, self.RULE_expectBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 367
            self.match(GplParser.EXPECT)
            self.state = 368
            self.anyName()
            self.state = 370
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==29:
                self.state = 369
                self.asRule()


            self.state = 381
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==28:
                self.state = 372
                self.match(GplParser.UNDER)
                self.state = 373
                self.load()
                self.state = 378
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                while _la==49:
                    self.state = 374
                    self.match(GplParser.COMMA)
                    self.state = 375
                    self.load()
                    self.state = 380
                    self._errHandler.sync(self)
                    _la = self._input.LA(1)



            self.state = 383
            self.match(GplParser.LBRACE)
            self.state = 387
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==20 or _la==59:
                self.state = 384
                self.claim()
                self.state = 389
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 390
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
        self.enterRule(localctx, 70, self.RULE_asRule)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 392
            self.match(GplParser.AS)
            self.state = 393
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
        self.enterRule(localctx, 72, self.RULE_load)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 395
            self.anyName()
            self.state = 396
            self.match(GplParser.NUMBER)
            self.state = 398
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==29:
                self.state = 397
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


        def WORD(self, i:int=None):
            if i is None:
                return self.getTokens(GplParser.WORD)
            else:
                return self.getToken(GplParser.WORD, i)

        def SHARE(self):
            return self.getToken(GplParser.SHARE, 0)

        def OF(self):
            return self.getToken(GplParser.OF, 0)

        def STRING(self):
            return self.getToken(GplParser.STRING, 0)

        def getRuleIndex(self):
            return GplParser.RULE_claim




    def claim(self):

        localctx = GplParser.ClaimContext(self, self._ctx, self.state)
        self.enterRule(localctx, 74, self.RULE_claim)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 400
            _la = self._input.LA(1)
            if not(_la==20 or _la==59):
                self._errHandler.recoverInline(self)
            else:
                self._errHandler.reportMatch(self)
                self.consume()
            self.state = 401
            self.match(GplParser.LPAREN)
            self.state = 402
            self.anyName()
            self.state = 404
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 576461027181330430) != 0):
                self.state = 403
                self.anyName()


            self.state = 406
            self.match(GplParser.RPAREN)
            self.state = 407
            self.comparator()
            self.state = 408
            self.scalar()
            self.state = 411
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==30:
                self.state = 409
                self.match(GplParser.OF)
                self.state = 410
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
        self.enterRule(localctx, 76, self.RULE_promiseBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 413
            self.match(GplParser.PROMISE)
            self.state = 414
            self.anyName()
            self.state = 415
            self.match(GplParser.OVER)
            self.state = 416
            self.scalar()
            self.state = 417
            self.match(GplParser.LBRACE)
            self.state = 421
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==20 or _la==59:
                self.state = 418
                self.claim()
                self.state = 423
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 425
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==32:
                self.state = 424
                self.otherwise()


            self.state = 427
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
        self.enterRule(localctx, 78, self.RULE_otherwise)
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 429
            self.match(GplParser.ELSE)
            self.state = 430
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
        self.enterRule(localctx, 80, self.RULE_testBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 432
            self.match(GplParser.TEST)
            self.state = 433
            self.match(GplParser.STRING)
            self.state = 434
            self.match(GplParser.LBRACE)
            self.state = 438
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==37 or _la==59:
                self.state = 435
                self.testLine()
                self.state = 440
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 441
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
        self.enterRule(localctx, 82, self.RULE_testLine)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 443
            self.fact()
            self.state = 447
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==37 or _la==59:
                self.state = 444
                self.fact()
                self.state = 449
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 450
            self.match(GplParser.ARROW)
            self.state = 451
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
        self.enterRule(localctx, 84, self.RULE_fact)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 454
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==37:
                self.state = 453
                self.match(GplParser.NOT)


            self.state = 456
            self.match(GplParser.WORD)
            self.state = 460
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while (((_la) & ~0x3f) == 0 and ((1 << _la) & 3748120789879095296) != 0):
                self.state = 457
                self.factValue()
                self.state = 462
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 465
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==26:
                self.state = 463
                self.match(GplParser.WITHIN)
                self.state = 464
                self.scalar()


            self.state = 469
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==27:
                self.state = 467
                self.match(GplParser.VIA)
                self.state = 468
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
        self.enterRule(localctx, 86, self.RULE_factValue)
        self._la = 0 # Token type
        try:
            self.state = 476
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [60, 61]:
                self.enterOuterAlt(localctx, 1)
                self.state = 471
                self.text()
                pass
            elif token in [50, 58]:
                self.enterOuterAlt(localctx, 2)
                self.state = 473
                self._errHandler.sync(self)
                _la = self._input.LA(1)
                if _la==50:
                    self.state = 472
                    self.match(GplParser.MINUS)


                self.state = 475
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
        self.enterRule(localctx, 88, self.RULE_whenBlock)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 478
            self.match(GplParser.WHEN)
            self.state = 479
            self.condition()
            self.state = 480
            self.match(GplParser.LBRACE)
            self.state = 484
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==5:
                self.state = 481
                self.ruleBlock()
                self.state = 486
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 487
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
        self.enterRule(localctx, 90, self.RULE_condition)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 489
            self.conditionUnary()
            self.state = 494
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==35 or _la==36:
                self.state = 490
                _la = self._input.LA(1)
                if not(_la==35 or _la==36):
                    self._errHandler.recoverInline(self)
                else:
                    self._errHandler.reportMatch(self)
                    self.consume()
                self.state = 491
                self.conditionUnary()
                self.state = 496
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
        self.enterRule(localctx, 92, self.RULE_conditionUnary)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 500
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            while _la==37:
                self.state = 497
                self.match(GplParser.NOT)
                self.state = 502
                self._errHandler.sync(self)
                _la = self._input.LA(1)

            self.state = 503
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
        self.enterRule(localctx, 94, self.RULE_conditionPrimary)
        try:
            self.state = 510
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [51]:
                self.enterOuterAlt(localctx, 1)
                self.state = 505
                self.match(GplParser.LPAREN)
                self.state = 506
                self.condition()
                self.state = 507
                self.match(GplParser.RPAREN)
                pass
            elif token in [59]:
                self.enterOuterAlt(localctx, 2)
                self.state = 509
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
        self.enterRule(localctx, 96, self.RULE_state)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 512
            self.match(GplParser.WORD)
            self.state = 514
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==59:
                self.state = 513
                self.match(GplParser.WORD)


            self.state = 519
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if (((_la) & ~0x3f) == 0 and ((1 << _la) & 140480058753024) != 0):
                self.state = 516
                self.comparator()
                self.state = 517
                self.stateValue()


            self.state = 523
            self._errHandler.sync(self)
            _la = self._input.LA(1)
            if _la==33:
                self.state = 521
                self.match(GplParser.FOR)
                self.state = 522
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
        self.enterRule(localctx, 98, self.RULE_stateValue)
        try:
            self.state = 530
            self._errHandler.sync(self)
            token = self._input.LA(1)
            if token in [60, 61]:
                self.enterOuterAlt(localctx, 1)
                self.state = 525
                self.text()
                pass
            elif token in [50, 58, 59]:
                self.enterOuterAlt(localctx, 2)
                self.state = 526
                self.scalar()
                pass
            elif token in [57]:
                self.enterOuterAlt(localctx, 3)
                self.state = 527
                self.match(GplParser.CLOCK)
                self.state = 528
                self.match(GplParser.DOTS)
                self.state = 529
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

        def SHARE(self):
            return self.getToken(GplParser.SHARE, 0)

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
        self.enterRule(localctx, 100, self.RULE_anyName)
        self._la = 0 # Token type
        try:
            self.enterOuterAlt(localctx, 1)
            self.state = 532
            _la = self._input.LA(1)
            if not((((_la) & ~0x3f) == 0 and ((1 << _la) & 576461027181330430) != 0)):
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






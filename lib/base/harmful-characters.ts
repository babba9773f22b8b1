/**
 * Characters of other people's texts that move a terminal's cursor, change the direction of a line, or stop a program
 * that reads the text: control characters except tab and line ends, marks of direction, and noncharacters.
 */
export const HARMFUL = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

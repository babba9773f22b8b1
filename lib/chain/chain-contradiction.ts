/**
 * Thrown if a node's responses can't all be true, because it lags or several nodes respond in turn. Nothing is
 * concluded from such responses; the caller asks again later.
 */
export class ChainContradiction extends Error {
  constructor(what: string) {
    super(`the node's responses contradict each other: ${what}`);
    this.name = "ChainContradiction";
  }
}

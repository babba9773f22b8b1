/**
 * Responses of a node that cannot all be true: it lags, or several nodes respond in turn. Nothing is concluded from
 * them; the caller asks again later.
 */
export class ChainContradiction extends Error {
  constructor(what: string) {
    super(`the node's responses contradict each other: ${what}`);
    this.name = "ChainContradiction";
  }
}

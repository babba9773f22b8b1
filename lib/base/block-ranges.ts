/** Ranges are doubled again after this many in a row that the node has served. */
const DOUBLED_AFTER = 8;
/** Limits of requests, not of ranges: too many by HTTP and JSON-RPC, and QuickNode's own code. */
const TOO_MANY = new Set([429, -32007]);
const RATE_LIMITED = /\brate\b|too many requests|per (second|minute|day)|capacity|quota|request count/i;
/** The node lacks the method (EIP-1474), whatever the range. */
const NO_METHOD = new Set([-32601, -32004]);
/** HTTP statuses below 500 that say nothing about the range. */
const NOT_NOW = new Set([401, 403, 408, 429]);
const NO_ANSWER = new Set(["TimeoutError", "HttpRequestError", "ChainUnreachable"]);

/**
 * The number of blocks to request at once from one node. Nodes limit the blocks, events, bytes or time of a request, each
 * in its own way and with its own error, so the number is found by trying.
 */
export class BlockRange {
  private blocks: bigint;
  private served = 0;

  /**
   * @param most never more than this, and this at first
   * @param patience how often in a row a smaller range is tried when the node does not respond, which it may do because
   *   the range is too large
   */
  constructor(
    private readonly most: bigint,
    private readonly patience = 0,
  ) {
    this.blocks = most;
  }

  /**
   * Reads as many of the next blocks as the node returns at once: half as many as long as it refuses, down to one.
   *
   * @param left the number of blocks that there are
   * @param read reads that many of them
   * @throws the node's error when it refuses even one block, or does not respond; what else `read` throws
   */
  async readSome<T>(left: bigint, read: (blocks: bigint) => Promise<T>): Promise<{ blocks: bigint; found: T }> {
    for (let unanswered = 0; ; ) {
      const blocks = this.blocks < left ? this.blocks : left;
      try {
        const found = await read(blocks);
        this.grow(blocks);
        return { blocks, found };
      } catch (error) {
        const kind = failureKind(error);
        if (kind === "other" || blocks === 1n) throw error;
        this.shrink(kind === "refused" ? (blocks + 1n) / 2n : (blocks + 15n) / 16n);
        if (kind === "unanswered" && ++unanswered > this.patience) throw error;
      }
    }
  }

  private grow(blocks: bigint): void {
    // The last blocks of a chain don't show what else the node would have returned.
    if (blocks < this.blocks || ++this.served < DOUBLED_AFTER) return;
    this.served = 0;
    this.blocks = this.blocks * 2n < this.most ? this.blocks * 2n : this.most;
  }

  private shrink(blocks: bigint): void {
    this.served = 0;
    // Another reader of the same node may have learned more in the meantime.
    if (blocks < this.blocks) this.blocks = blocks;
  }
}

/** Yields what `read` returns for the blocks from `first` to `last`, in ranges, the oldest first. */
export async function* oldestFirst<T>(
  range: BlockRange,
  first: bigint,
  last: bigint,
  read: (from: bigint, to: bigint) => Promise<T>,
): AsyncGenerator<T> {
  for (let from = first; from <= last; ) {
    const { blocks, found } = await range.readSome(last - from + 1n, (count) => read(from, from + count - 1n));
    yield found;
    from += blocks;
  }
}

/** Yields what `read` returns for the blocks from `first` to `last`, in ranges, the newest first. */
export async function* newestFirst<T>(
  range: BlockRange,
  first: bigint,
  last: bigint,
  read: (from: bigint, to: bigint) => Promise<T>,
): AsyncGenerator<T> {
  for (let to = last; to >= first; ) {
    const { blocks, found } = await range.readSome(to - first + 1n, (count) => read(to - count + 1n, to));
    yield found;
    to -= blocks;
  }
}

/**
 * Returns what an error says about a range of blocks. `refused`: a node responded, and a smaller range may be fine.
 * `unanswered`: the node is away, overloaded or slow. `other`: nothing about the range. Errors are known by what they
 * have, because those of viem and of the SDK's transport have no common class.
 */
export function failureKind(thrown: unknown): "refused" | "unanswered" | "other" {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { name, message, code, status, details } = error as Error & Record<"code" | "status" | "details", unknown>;
    if (name === "ResponseBodyTooLargeError") return "refused";
    if (typeof status === "number") return status < 500 && !NOT_NOW.has(status) ? "refused" : "unanswered";
    // viem's wrapper of an error that it does not know.
    if (typeof code === "number" && name !== "UnknownRpcError") {
      if (NO_METHOD.has(code)) return "other";
      return TOO_MANY.has(code) || RATE_LIMITED.test(String(details ?? message)) ? "unanswered" : "refused";
    }
    if (NO_ANSWER.has(name)) return "unanswered";
  }
  return "other";
}

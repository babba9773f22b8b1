import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "@/lib/base/errors";
import { addressBlock } from "@/lib/base/rate-limit/address-bucket";
import { count } from "@/lib/base/telemetry/record";
import type { Admission } from "./admission";
import type { RequestOwner } from "./known-callers";
import type { ReadRawBody } from "./raw-body";

/** Bodies are counted by this many bytes: a larger one counts as several. */
export const BODY_UNIT = 64 * 1024;
/** The most bodies that arrive for one owner at a time. */
export const BODIES_PER_OWNER: Readonly<Record<RequestOwner["kind"], number>> = { address: 64, account: 128 };
/** The most that arrive for all addresses, and for all accounts. */
export const BODIES_IN_ALL: Readonly<Record<RequestOwner["kind"], number>> = { address: 1_024, account: 2_048 };
/** In this time the whole body has to arrive, or `BODY_UNIT` bytes of it. */
const BODY_SLICE_MS = 5_000;

/** For a body that did not arrive in time. */
export const TOO_SLOW = new ApiError("invalid_request", "The request took too long to arrive. Send it again.", {
  status: 408,
});
const TOO_MANY = {
  own: new ApiError("rate_limited", "Too many of your requests are still arriving. Send fewer at once.", {
    retryAfter: 1,
  }),
  all: new ApiError("unavailable", "Too many requests are still arriving. Nothing was done. Try again in a moment.", {
    retryAfter: 1,
  }),
};

/**
 * Reads bodies, and limits those that have not arrived yet: by owner, in all, and in how slowly they may come. Bodies
 * of addresses and of accounts don't count together, so no client without a valid key can keep those with one waiting.
 * A body that is already here when it is read does not count.
 */
export class ArrivingBodies {
  private readonly ofOwner = new Map<string, number>();
  private readonly ofKind = { address: 0, account: 0 };

  constructor(private readonly sliceMs = BODY_SLICE_MS) {}

  /**
   * Reads a body up to `most` bytes, or more than that if the body is larger, so that the route can refuse it.
   *
   * @throws ApiError `rate_limited` or `unavailable` if too many are arriving, `invalid_request` (408) if it comes too
   *   slowly; the socket's error if the client disconnects
   */
  async read(request: IncomingMessage, most: number, owner: RequestOwner): Promise<Buffer> {
    if (request.complete) return collect(request, most, this.sliceMs);
    const length = Math.min(most, Number(request.headers["content-length"] ?? most));
    const leave = this.enter(owner, Math.max(1, Math.ceil(length / BODY_UNIT)));
    try {
      return await collect(request, most, this.sliceMs);
    } finally {
      leave();
    }
  }

  private enter({ kind, name }: RequestOwner, units: number): () => void {
    const owner = `${kind}:${name}`;
    const own = this.ofOwner.get(owner) ?? 0;
    const limit = own + units > BODIES_PER_OWNER[kind] ? "own" : "all";
    if (limit === "own" || this.ofKind[kind] + units > BODIES_IN_ALL[kind]) {
      if (limit === "own") count("halcyon.rate_limit.refusals", { policy: "bodies" });
      else count("halcyon.requests.shed", { priority: "body" });
      throw TOO_MANY[limit];
    }
    this.change(owner, kind, units);
    return () => this.change(owner, kind, -units);
  }

  private change(owner: string, kind: RequestOwner["kind"], units: number): void {
    this.ofKind[kind] += units;
    const own = (this.ofOwner.get(owner) ?? 0) + units;
    if (own === 0) this.ofOwner.delete(owner);
    else this.ofOwner.set(owner, own);
  }
}

/** Returns the reader of a request's body. While the body arrives, the request takes no place in the process. */
export function bodyReader(
  admission: Admission,
  bodies: ArrivingBodies,
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
): ReadRawBody {
  return (most, account) => {
    const owner: RequestOwner =
      account === undefined ? { kind: "address", name: addressBlock(address) } : { kind: "account", name: account };
    const read = () => bodies.read(request, most, owner);
    return request.complete ? read() : admission.whileArriving(response, read, owner);
  };
}

/** Reads a body. Leaves the rest of one that is larger than `most`, or too slow, where it is. */
function collect(request: IncomingMessage, most: number, sliceMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let before = 0;
    let isOver = false;
    const settle = (end: () => void) => {
      isOver = true;
      clearInterval(timer);
      request.off("data", take).off("end", finish).off("error", fail).off("close", leave);
      request.pause();
      end();
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > most) finish();
    };
    const finish = () => settle(() => resolve(Buffer.concat(chunks)));
    const fail = (error: Error) => settle(() => reject(error));
    const leave = () => fail(new Error("the client has disconnected"));
    const look = () => {
      if (isOver) return;
      if (length - before < BODY_UNIT) fail(TOO_SLOW);
      before = length;
    };
    // After a stop of this process, what has arrived meanwhile is read first.
    const timer = setInterval(() => setImmediate(look), sliceMs);
    if (request.readableEnded) return finish();
    if (request.destroyed) return leave();
    request.on("data", take).once("end", finish).once("error", fail).once("close", leave);
  });
}

import { createHash, type KeyObject, randomBytes, sign, verify } from "node:crypto";
import type { TLSSocket } from "node:tls";

/** For how long a request may be under way, clocks that differ included. */
const FRESH_MS = 30_000;
const LABEL = "EXPORTER-halcyon-prover";

/** What a request says of itself, in its headers. */
export interface RequestSignature {
  /** Milliseconds of the sender's clock. */
  time: string;
  /** 16 random bytes in hex. */
  nonce: string;
  /** Ed25519, in base64. */
  signature: string;
}

/** 32 bytes that both ends of one TLS connection share and no one else knows (RFC 9266's exporter, under our label). */
export function channelOf(socket: TLSSocket): Buffer {
  return socket.exportKeyingMaterial(32, LABEL, Buffer.alloc(0));
}

function messageOf(channel: Buffer, body: Buffer, { time, nonce }: Omit<RequestSignature, "signature">): Buffer {
  const digest = createHash("sha256").update(body).digest("hex");
  return Buffer.from(`halcyon/1/prover request\n${time}\n${nonce}\n${channel.toString("hex")}\n${digest}`);
}

/**
 * Signs a request for one connection: no one can send it again, not even to another prover.
 *
 * @param key the server's Ed25519 key (`PROVER_SIGNING_KEY`)
 */
export function signRequest(key: KeyObject, channel: Buffer, body: Buffer, now = Date.now()): RequestSignature {
  const said = { time: String(now), nonce: randomBytes(16).toString("hex") };
  return { ...said, signature: sign(null, messageOf(channel, body, said), key).toString("base64") };
}

/** Lets through what the server signed for this connection, in time, and once. */
export class RequestGate {
  /** Nonces and until when they count. */
  private readonly seen = new Map<string, number>();

  /** @param signer the server's public key (`PROVER_SIGNER`) */
  constructor(
    private readonly signer: KeyObject,
    private readonly now: () => number = Date.now,
  ) {}

  admits(request: Partial<RequestSignature>, channel: Buffer, body: Buffer): boolean {
    const { time = "", nonce = "", signature = "" } = request;
    const now = this.now();
    if (!/^\d{1,15}$/.test(time) || !/^[0-9a-f]{32}$/.test(nonce) || Math.abs(now - Number(time)) > FRESH_MS)
      return false;
    if (!verify(null, messageOf(channel, body, { time, nonce }), this.signer, Buffer.from(signature, "base64"))) {
      return false;
    }
    for (const [old, until] of this.seen) {
      // In the order in which they came.
      if (until > now) break;
      this.seen.delete(old);
    }
    if (this.seen.has(nonce)) return false;
    this.seen.set(nonce, now + 2 * FRESH_MS);
    return true;
  }
}

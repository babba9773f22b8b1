import { createHash, type KeyObject, randomBytes, sign, verify } from "node:crypto";
import type { TLSSocket } from "node:tls";

/** How old a request may be, including clock differences. */
const FRESH_MS = 30_000;
const LABEL = "EXPORTER-halcyon-prover";

/** A request's signature, as sent in its headers. */
export interface RequestSignature {
  /** Milliseconds by the sender's clock. */
  time: string;
  /** 16 random bytes in hex. */
  nonce: string;
  /** Ed25519, in base64. */
  signature: string;
}

/**
 * Returns 32 bytes that only the two ends of a TLS connection know (an exporter as in RFC 9266, with our own label).
 */
export function channelOf(socket: TLSSocket): Buffer {
  return socket.exportKeyingMaterial(32, LABEL, Buffer.alloc(0));
}

function messageOf(channel: Buffer, body: Buffer, { time, nonce }: Omit<RequestSignature, "signature">): Buffer {
  const digest = createHash("sha256").update(body).digest("hex");
  return Buffer.from(`halcyon/1/prover request\n${time}\n${nonce}\n${channel.toString("hex")}\n${digest}`);
}

/**
 * Signs a request for one TLS connection, so that no one can replay it, not even to another prover.
 *
 * @param key the server's Ed25519 key (`PROVER_SIGNING_KEY`)
 */
export function signRequest(key: KeyObject, channel: Buffer, body: Buffer, now = Date.now()): RequestSignature {
  const said = { time: String(now), nonce: randomBytes(16).toString("hex") };
  return { ...said, signature: sign(null, messageOf(channel, body, said), key).toString("base64") };
}

/** Accepts requests that the server signed for this connection, within the time limit and only once. */
export class RequestGate {
  /** Nonces seen, with the time until which each is kept. */
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
      // The map keeps the order of insertion, so the rest is newer.
      if (until > now) break;
      this.seen.delete(old);
    }
    if (this.seen.has(nonce)) return false;
    this.seen.set(nonce, now + 2 * FRESH_MS);
    return true;
  }
}

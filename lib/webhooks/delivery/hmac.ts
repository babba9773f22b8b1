import { hash } from "node:crypto";

const BLOCK = 64;
const HASH = 32;

// Holds what is being hashed: signing is synchronous.
let inner = Buffer.alloc(4_096);

/**
 * A key of HMAC-SHA256 (RFC 2104), ready to sign many short messages. Two plain hashes over the padded key: an object
 * of `createHmac` for each message costs several times what it hashes, and deliveries need two.
 */
export class HmacKey {
  private readonly innerPad = Buffer.alloc(BLOCK, 0x36);
  /** The outer padded key, and room for the inner hash. */
  private readonly outer = Buffer.alloc(BLOCK + HASH, 0x5c);

  constructor(key: Uint8Array) {
    const short = key.length > BLOCK ? hash("sha256", key, "buffer") : key;
    short.forEach((byte, i) => {
      this.innerPad[i] = 0x36 ^ byte;
      this.outer[i] = 0x5c ^ byte;
    });
  }

  /** The MAC of a message's UTF-8. */
  sign(message: string, encoding: "hex" | "base64"): string {
    const room = BLOCK + 3 * message.length;
    if (inner.length < room) inner = Buffer.alloc(room);
    inner.set(this.innerPad);
    const length = BLOCK + inner.write(message, BLOCK, "utf8");
    this.outer.write(hash("sha256", inner.subarray(0, length), "hex"), BLOCK, "hex");
    return hash("sha256", this.outer, encoding);
  }
}

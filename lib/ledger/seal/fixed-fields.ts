import { bytesToBigint } from "../crypto/bytes";

/** Reads fields of fixed width one after another; what is left over or missing makes the whole text unreadable. */
export class FixedFields {
  readonly #plain: Uint8Array;
  #at = 0;

  constructor(plain: Uint8Array) {
    this.#plain = plain;
  }

  /** The next `length` bytes, as a copy. */
  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#plain.length) throw new RangeError("the text is too short");
    const field = this.#plain.slice(this.#at, end);
    this.#at = end;
    return field;
  }

  /** The next `length` bytes as an integer, big endian. */
  integer(length: number): bigint {
    return bytesToBigint(this.bytes(length));
  }

  /** Throws unless every byte was read. */
  end(): void {
    if (this.#at !== this.#plain.length) throw new RangeError("the text is too long");
  }
}

import { bytesToBigint } from "../crypto/bytes";

/** Reads fields of fixed width one after another. Missing or extra bytes are errors. */
export class FixedFields {
  readonly #plain: Uint8Array;
  #at = 0;

  constructor(plain: Uint8Array) {
    this.#plain = plain;
  }

  /** Returns the next `length` bytes, as a copy. */
  bytes(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#plain.length) throw new RangeError("the text is too short");
    const field = this.#plain.slice(this.#at, end);
    this.#at = end;
    return field;
  }

  /** Returns the next `length` bytes as a big-endian integer. */
  integer(length: number): bigint {
    return bytesToBigint(this.bytes(length));
  }

  /**
   * Checks that every byte was read.
   *
   * @throws RangeError
   */
  end(): void {
    if (this.#at !== this.#plain.length) throw new RangeError("the text is too long");
  }
}

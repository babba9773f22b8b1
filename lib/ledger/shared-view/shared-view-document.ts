import type { Address, Hex } from "viem";
import { bigintToBytes, bytesToBigint, concat, fromHex, fromUtf8, toHex, utf8 } from "../crypto/bytes";
import { InvalidSharedView } from "../crypto/errors";

/*
 * The content of a view for an accountant: payments, each with what proves it against the chain, and what their owner
 * says about them. Nothing in it counts before it is compared with the chain (sdk/statements/shared-views/check-shared-view.ts).
 */

/** How a payment is proved: a note by its opening, like a receipt; the others are public in the ledger's event. */
const SHARED_KINDS = ["note", "public", "deposit"] as const;
type SharedKind = (typeof SHARED_KINDS)[number];

/** One payment of a view. Addresses in lower case. */
export interface SharedPayment {
  kind: SharedKind;
  txHash: Hex;
  /** For a deposit, payer and recipient are the account. */
  payer: Address;
  recipient: Address;
  asset: Address;
  /** In units. */
  amount: bigint;
  /** Opens the note; zero for the other kinds. */
  salt: bigint;
  /** What the owner says about the other party and the payment. None of this is proved. */
  name: string;
  reference: string;
  memo: string;
}

/** A view. */
export interface SharedView {
  chainId: number;
  ledger: Address;
  /** The account, and those of its agents whose payments are shown. Addresses in lower case. */
  accounts: { address: Address; name: string }[];
  /** The period in Unix seconds: its first second, and the first second after it. */
  from: number;
  to: number;
  timeZone: string;
  /** If set, only payments with this address are shown. */
  counterparty: Address | null;
  title: string;
  /** Unix seconds. */
  createdAt: number;
  expiresAt: number;
  payments: SharedPayment[];
}

/** The most payments in one view. */
export const MOST_SHARED = 5_000;

const FORMAT = 1;
const NO_ADDRESS: Address = `0x${"00".repeat(20)}`;

class Writer {
  readonly parts: Uint8Array[] = [];

  integer(value: number | bigint, width: number): this {
    this.parts.push(bigintToBytes(BigInt(value), width));
    return this;
  }

  hex(value: Hex, width: number): this {
    const bytes = fromHex(value);
    if (bytes.length !== width) throw new InvalidSharedView();
    this.parts.push(bytes);
    return this;
  }

  text(value: string): this {
    const bytes = utf8(value);
    this.integer(bytes.length, 2).parts.push(bytes);
    return this;
  }
}

class Reader {
  private offset = 0;

  constructor(private readonly bytes: Uint8Array) {}

  take(width: number): Uint8Array {
    this.offset += width;
    if (this.offset > this.bytes.length) throw new InvalidSharedView();
    return this.bytes.subarray(this.offset - width, this.offset);
  }

  bigint(width: number): bigint {
    return bytesToBigint(this.take(width));
  }

  integer(width: number): number {
    return Number(this.bigint(width));
  }

  address(): Address {
    return toHex(this.take(20));
  }

  text(): string {
    return fromUtf8(this.take(this.integer(2)));
  }

  get isAtEnd(): boolean {
    return this.offset === this.bytes.length;
  }
}

/**
 * Encodes a view. Addresses and assets that occur more than once are written once.
 *
 * @throws InvalidSharedView for too many payments or no account
 */
export function encodeSharedView(view: SharedView): Uint8Array {
  if (view.payments.length > MOST_SHARED || view.accounts.length === 0) throw new InvalidSharedView();
  const addresses = [...new Set(view.payments.flatMap(({ payer, recipient, asset }) => [payer, recipient, asset]))];
  const places = new Map(addresses.map((address, place) => [address, place]));
  const writer = new Writer();
  writer.integer(FORMAT, 1).integer(view.chainId, 4).hex(view.ledger, 20).integer(view.accounts.length, 2);
  for (const { address, name } of view.accounts) writer.hex(address, 20).text(name);
  writer.integer(view.from, 8).integer(view.to, 8).text(view.timeZone);
  writer.hex(view.counterparty ?? NO_ADDRESS, 20).text(view.title);
  writer.integer(view.createdAt, 8).integer(view.expiresAt, 8).integer(addresses.length, 2);
  for (const address of addresses) writer.hex(address, 20);
  writer.integer(view.payments.length, 2);
  for (const { kind, txHash, payer, recipient, asset, amount, salt, ...said } of view.payments) {
    writer.integer(SHARED_KINDS.indexOf(kind), 1).hex(txHash, 32);
    for (const address of [payer, recipient, asset]) writer.integer(places.get(address) ?? 0, 2);
    writer.integer(amount, 8).integer(salt, 32).text(said.name).text(said.reference).text(said.memo);
  }
  return concat(...writer.parts);
}

/**
 * Decodes a view.
 *
 * @throws InvalidSharedView for anything else
 */
export function decodeSharedView(bytes: Uint8Array): SharedView {
  try {
    return decoded(new Reader(bytes));
  } catch {
    throw new InvalidSharedView();
  }
}

function decoded(reader: Reader): SharedView {
  if (reader.integer(1) !== FORMAT) throw new InvalidSharedView();
  const times = <T>(count: number, read: () => T) => Array.from({ length: count }, read);
  const chainId = reader.integer(4);
  const ledger = reader.address();
  const accounts = times(reader.integer(2), () => ({ address: reader.address(), name: reader.text() }));
  const [from, to, timeZone] = [reader.integer(8), reader.integer(8), reader.text()];
  const [counterparty, title] = [reader.address(), reader.text()];
  const [createdAt, expiresAt] = [reader.integer(8), reader.integer(8)];
  const addresses = times(reader.integer(2), () => reader.address());
  const addressAt = (place: number): Address => {
    const address = addresses[place];
    if (address === undefined) throw new InvalidSharedView();
    return address;
  };
  const count = reader.integer(2);
  if (count > MOST_SHARED || accounts.length === 0) throw new InvalidSharedView();
  const payments = times(count, (): SharedPayment => {
    const kind = SHARED_KINDS[reader.integer(1)];
    if (kind === undefined) throw new InvalidSharedView();
    const txHash = toHex(reader.take(32));
    const [payer, recipient, asset] = [
      addressAt(reader.integer(2)),
      addressAt(reader.integer(2)),
      addressAt(reader.integer(2)),
    ];
    const [amount, salt] = [reader.bigint(8), reader.bigint(32)];
    return {
      kind,
      txHash,
      payer,
      recipient,
      asset,
      amount,
      salt,
      name: reader.text(),
      reference: reader.text(),
      memo: reader.text(),
    };
  });
  if (!reader.isAtEnd) throw new InvalidSharedView();
  const only = counterparty === NO_ADDRESS ? null : counterparty;
  const head = { chainId, ledger, accounts, from, to, timeZone, counterparty: only, title, createdAt, expiresAt };
  return { ...head, payments };
}

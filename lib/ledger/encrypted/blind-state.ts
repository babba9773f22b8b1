import type { Hex } from "viem";
import { decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes, concat, fromHex } from "../crypto/bytes";
import { type AvailableOpening, availableCommitment, isOpeningOf } from "../crypto/commitments";
import type { Epoch, Epochs } from "../crypto/epochs";
import { DecryptionFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import { REQUEST_TAG_LENGTH } from "../crypto/request-tag";
import { type CommitmentRef, commitmentRefBytes } from "../crypto/scope";
import { BLIND_STATE_LENGTH, BLIND_VERSION, FIXED_LENGTH } from "./available-state";
import { FixedFields } from "./fixed-fields";

const PART_LENGTH = BLIND_STATE_LENGTH - FIXED_LENGTH;
/** The most payments that one document makes. */
const MAX_TAGS = 16;
/** In the place of a previous epoch that there is not. */
const NO_EPOCH = new Uint8Array(36);

/** The newest policy that a client has taken for a balance. Version 0 and 32 zero bytes without one. */
export interface TakenPolicy {
  version: bigint;
  /** `policyDocumentHash`. */
  hash: Uint8Array;
}

/** Where a state belongs. */
export interface BlindStateRef extends CommitmentRef {
  /** The note or payment id that made the state: two public payments of one price give the same commitment. */
  madeBy: Hex;
}

/** A balance as clients with a home key write it, which alone read it. */
export interface BlindState {
  /** Without counters: the chain enforces what these would count. */
  opening: Omit<AvailableOpening, "counters" | "blind">;
  epochs: Epochs;
  policy: TakenPolicy;
  /** The tags of the payments that made the state, at most 16. */
  tags: readonly Uint8Array[];
}

/** What a state has beside its opening. */
type BlindPart = Omit<BlindState, "opening">;

/**
 * Encrypts a state under HKDF(secret, "blind budget state").
 *
 * @param secret k for an account, k_i for an agent
 * @throws DecryptionFailed if the opening is not that of `ref.commitment`
 * @throws RangeError for a part of another length, or too many tags
 */
export function encryptBlindState(secret: Uint8Array, ref: BlindStateRef, state: BlindState): Uint8Array {
  const { opening, ...part } = state;
  if (availableCommitment(opening) !== ref.commitment) throw new DecryptionFailed("balance opening");
  const plain = concat(
    Uint8Array.of(BLIND_VERSION),
    bigintToBytes(opening.limit, 8),
    bigintToBytes(opening.window.spent, 8),
    bigintToBytes(opening.window.day, 4),
    bigintToBytes(opening.salt, 32),
    blindPartBytes(part),
  );
  return encrypt(hkdf(secret, "blind budget state", ref.scope), aadOf(ref), plain);
}

/**
 * Encodes what a state has beside its opening, always in the same length.
 *
 * @throws RangeError for a part of another length, or too many tags
 */
export function blindPartBytes({ epochs, policy, tags }: BlindPart): Uint8Array {
  if (tags.length > MAX_TAGS) throw new RangeError(`a state has at most ${MAX_TAGS} tags`);
  if (tags.some(({ length }) => length !== REQUEST_TAG_LENGTH)) throw new RangeError("a tag has 16 bytes");
  if (policy.hash.length !== 32) throw new RangeError("a hash has 32 bytes");
  if (!areConsecutive(epochs)) throw new RangeError("the previous epoch is that of the day before");
  const part = concat(
    epochBytes(epochs.current),
    epochs.previous ? epochBytes(epochs.previous) : NO_EPOCH,
    bigintToBytes(policy.version, 8),
    policy.hash,
    Uint8Array.of(tags.length),
    ...tags,
  );
  const padded = concat(part, new Uint8Array(PART_LENGTH - part.length));
  part.fill(0);
  return padded;
}

/**
 * Decodes what a state has beside its opening.
 *
 * @throws RangeError
 */
export function blindPartOf(bytes: Uint8Array): BlindPart {
  if (bytes.length !== PART_LENGTH) throw new RangeError("another length");
  const fields = new FixedFields(bytes);
  const epoch = (): Epoch => ({ day: fields.integer(4), seed: fields.bytes(32) });
  const [current, before] = [epoch(), epoch()];
  const isThere = before.day !== 0n || before.seed.some((byte) => byte !== 0);
  const epochs: Epochs = isThere ? { current, previous: before } : { current };
  if (!areConsecutive(epochs)) throw new RangeError("the epochs are not of days that follow each other");
  const policy = { version: fields.integer(8), hash: fields.bytes(32) };
  const count = Number(fields.integer(1));
  if (count > MAX_TAGS) throw new RangeError("too many tags");
  const tags = Array.from({ length: count }, () => fields.bytes(REQUEST_TAG_LENGTH));
  return { epochs, policy, tags };
}

/**
 * Decrypts a state.
 *
 * @throws DecryptionFailed, also if the content doesn't match the commitment
 */
export function decryptBlindState(secret: Uint8Array, ref: BlindStateRef, encrypted: Uint8Array): BlindState {
  const plain = decrypt(hkdf(secret, "blind budget state", ref.scope), aadOf(ref), encrypted, "balance state");
  try {
    const state = stateOf(plain);
    if (!isOpeningOf(state.opening, ref.commitment)) throw new DecryptionFailed("balance state");
    return state;
  } catch (error) {
    throw error instanceof RangeError ? new DecryptionFailed("balance state") : error;
  } finally {
    plain.fill(0);
  }
}

/**
 * Reports whether a client may take a policy that a service shows it: a later version, or the same again. With a choice
 * of policies a service could read an amount from which of them refuse it.
 */
export function mayTakePolicy(taken: TakenPolicy, shown: TakenPolicy): boolean {
  if (shown.version !== taken.version) return shown.version > taken.version;
  return shown.hash.length === taken.hash.length && shown.hash.every((byte, at) => byte === taken.hash[at]);
}

/** Returns `commitmentRefBytes` || note or payment id (32). */
function aadOf(ref: BlindStateRef): Uint8Array {
  const madeBy = fromHex(ref.madeBy);
  if (madeBy.length !== 32) throw new RangeError("a note or payment id has 32 bytes");
  return concat(commitmentRefBytes(ref), madeBy);
}

function epochBytes({ day, seed }: Epoch): Uint8Array {
  if (seed.length !== 32) throw new RangeError("a seed has 32 bytes");
  return concat(bigintToBytes(day, 4), seed);
}

const areConsecutive = ({ current, previous }: Epochs): boolean => !previous || previous.day === current.day - 1n;

/** @throws RangeError if the bytes are no state */
function stateOf(plain: Uint8Array): BlindState {
  const fields = new FixedFields(plain);
  if (plain.length !== BLIND_STATE_LENGTH || fields.integer(1) !== BigInt(BLIND_VERSION)) {
    throw new RangeError("another version");
  }
  const limit = fields.integer(8);
  const window = { spent: fields.integer(8), day: fields.integer(4) };
  return { opening: { limit, window, salt: fields.integer(32) }, ...blindPartOf(plain.slice(FIXED_LENGTH)) };
}

import { poseidon3 } from "poseidon-lite";
import { mod } from "../witness/field.ts";
import type { Inputs } from "./forge.ts";

export const MAX = 2n ** 64n - 1n;
export const EMPTY_NOTE = poseidon3([1n, 0n, 0n]);
export const EMPTY_AVAILABLE = poseidon3([2n, 0n, 0n]);
export const CTX = 123456789012345678901234567890n;

export const note = (amount: bigint, salt: bigint) => poseidon3([1n, mod(amount), salt]);

/** What counted on which day: the part of an available balance that a policy needs. */
export interface Window {
  spent: bigint;
  day: bigint;
}
export const NO_WINDOW: Window = { spent: 0n, day: 0n };

export function available(limit: bigint, salt: bigint, { spent, day }: Window = NO_WINDOW): bigint {
  return poseidon3([2n, mod(limit + 2n ** 64n * spent + 2n ** 128n * day), salt]);
}

// Each builder opens every commitment truthfully, whatever the amounts: what it is then refused for is an amount.

export function transferInputs(limit: bigint, amount: bigint): Inputs {
  const [oldSalt, newSalt, noteSalt] = [11n, 12n, 13n];
  return {
    oldAvailable: available(limit, oldSalt),
    newAvailable: available(limit - amount, newSalt),
    note: note(amount, noteSalt),
    ctx: CTX,
    ...{ limit: mod(limit), oldSalt, newSalt, amount: mod(amount), noteSalt },
  };
}

export function releaseInputs(limit: bigint, amount: bigint): Inputs {
  const [oldSalt, newSalt] = [21n, 22n];
  return {
    oldAvailable: available(limit, oldSalt),
    newAvailable: available(limit - amount, newSalt),
    amount: mod(amount),
    ctx: CTX,
    ...{ limit: mod(limit), oldSalt, newSalt },
  };
}

export function fundInputs(fromLimit: bigint, toLimit: bigint, amount: bigint, from = NO_WINDOW, to = from): Inputs {
  const [fromOldSalt, fromNewSalt, toOldSalt, toNewSalt] = [31n, 32n, 33n, 34n];
  return {
    fromOld: available(fromLimit, fromOldSalt, from),
    fromNew: available(fromLimit - amount, fromNewSalt, from),
    toOld: available(toLimit, toOldSalt, to),
    toNew: available(toLimit + amount, toNewSalt, to),
    ctx: CTX,
    ...{ amount: mod(amount), fromLimit: mod(fromLimit), fromSpent: from.spent, fromDay: from.day },
    ...{ fromOldSalt, fromNewSalt, toLimit: mod(toLimit), toSpent: to.spent, toDay: to.day, toOldSalt, toNewSalt },
  };
}

export interface MakeAvailable {
  /** Up to 8; the other slots are empty. A salt may be given per note. */
  notes?: Note[];
  deposited?: bigint;
  oldLimit?: bigint;
  oldWindow?: Window;
  newLimit: bigint;
  newWindow?: Window;
  change?: bigint;
  /** Default: 0 for no change, else 43. */
  changeSalt?: bigint;
}

export function makeAvailableInputs(makingAvailable: MakeAvailable): Inputs {
  const { deposited = 0n, oldLimit = 0n, newLimit, change = 0n } = makingAvailable;
  const { oldWindow = NO_WINDOW, newWindow = NO_WINDOW } = makingAvailable;
  const changeSalt = makingAvailable.changeSalt ?? (change === 0n ? 0n : 43n);
  const oldSalt = oldLimit === 0n ? 0n : 41n;
  const newSalt = 42n;
  return {
    ...slots(makingAvailable.notes ?? [], 8),
    deposited: mod(deposited),
    oldAvailable: available(oldLimit, oldSalt, oldWindow),
    newAvailable: available(newLimit, newSalt, newWindow),
    changeNote: note(change, changeSalt),
    ctx: CTX,
    ...{ oldLimit: mod(oldLimit), oldSpent: oldWindow.spent, oldDay: oldWindow.day, oldSalt },
    ...{ newLimit: mod(newLimit), newSpent: newWindow.spent, newDay: newWindow.day, newSalt },
    ...{ change: mod(change), changeSalt },
  };
}

export type Note = { amount: bigint; salt: bigint };

export function balanceInputs(notes: Note[], limit: bigint, total: bigint, window = NO_WINDOW): Inputs {
  const salt = limit === 0n ? 0n : 51n;
  return {
    ...slots(notes, 16),
    available: available(limit, salt, window),
    total: mod(total),
    ctx: CTX,
    ...{ limit: mod(limit), ...window, salt },
  };
}

export function slots(given: Note[], count: number) {
  const all = Array.from({ length: count }, (_, i) => given[i] ?? { amount: 0n, salt: 0n });
  return {
    notes: all.map(({ amount, salt }) => note(amount, salt)),
    amounts: all.map(({ amount }) => mod(amount)),
    noteSalts: all.map(({ salt }) => salt),
  };
}

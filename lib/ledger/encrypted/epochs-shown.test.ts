import { expect, test } from "vitest";
import type { Epoch, Epochs } from "../crypto/epochs";
import { blindPartBytes, blindPartOf } from "./blind-state";
import { epochsShown } from "./epochs-shown";

const policy = { version: 3n, hash: new Uint8Array(32).fill(9) };

/** Returns the epochs of the state. Of an earlier state the policy stays, and no tag. */
function shownBy(shown: readonly Epoch[], known: Epochs | undefined, today: bigint): Epochs | undefined {
  const past = known && blindPartBytes({ epochs: known, policy, tags: [new Uint8Array(16).fill(1)] });
  const part = epochsShown(shown, past, today);
  if (!part) return undefined;
  const { epochs, ...rest } = blindPartOf(part);
  expect(rest).toEqual({ policy: known ? policy : { version: 0n, hash: new Uint8Array(32) }, tags: [] });
  return epochs;
}

test("the epochs of a state that is written from the chain are those of its payments, however old the last state", () => {
  const at = (day: bigint, mark: number): Epoch => ({ day, seed: new Uint8Array(32).fill(mark) });
  const [first, second] = [at(20_000n, 1), at(20_001n, 2)];
  const both = { current: second, previous: first };
  expect(shownBy([], undefined, 20_001n)).toBeUndefined();
  expect(shownBy([], both, 20_001n)).toEqual(both);
  expect(shownBy([first], undefined, 20_001n)).toEqual({ current: first });
  for (const known of [undefined, { current: first }, both, { current: at(20_009n, 3) }]) {
    expect(shownBy([first, second], known, 20_001n)).toEqual(both);
  }
  // Payments that are not on chain yet.
  expect(shownBy([at(19_999n, 0), first], both, 20_001n)).toEqual(both);
  // Built before midnight, and in a block after it.
  expect(shownBy([at(20_001n, 1), second], undefined, 20_001n)).toEqual(both);
  expect(shownBy([first], { current: at(29_999n, 3) }, 20_001n)).toEqual({ current: first });
  expect(shownBy([at(19_999n, 1), second], undefined, 20_001n)).toEqual({ current: second });
});

import { poseidon3 } from "poseidon-lite";
import { describe, expect, test } from "vitest";
import { mod, R } from "../witness/field.ts";
import { guarantees } from "./guarantees.ts";
import { otherCommitment } from "./mutants.ts";
import { HONEST, spendForgeries } from "./spend-forgeries.ts";
import { spendRules } from "./spend-rules.ts";
import { spendInputs } from "./spend-vectors.ts";
import { available } from "./vectors.ts";

const honest = spendInputs(HONEST);
const circuit = guarantees({ name: "spend", constraints: 2037, honest });
const { refuses, refusesAnyhow, everyStatementCounts } = circuit;

test("constraints and public signals fit into 2^11, beyond which a proof costs twice as much", () => {
  // snarkjs takes the next power of two above their sum.
  expect(2037 + 7).toBeLessThan(2 ** 11);
});

spendRules(circuit, spendInputs);

describe("invariant 6: the salt and the pad that follow a payment", () => {
  const [nextSalt, pad] = poseidon3([5n, honest.oldSalt as bigint, honest.note as bigint], 2) as unknown as bigint[];

  test("are the two outputs of Poseidon(5, old salt, note)", () => {
    expect(honest.newAvailable).toBe(available(750n, nextSalt as bigint, { spent: 290n, day: HONEST.day }));
    expect(honest.encrypted).toBe(mod(HONEST.amount + (pad as bigint)));
  });

  test.each([0n, 1n, 2n])("in mode %s no other salt and no other encrypted amount are accepted", async (mode) => {
    const spending = { ...HONEST, mode, day: mode === 2n ? 0n : HONEST.day };
    await refuses(spendInputs({ ...spending, newSalt: 99n }), "WindowedAvailableOpening");
    const inputs = spendInputs(spending);
    await refusesAnyhow({ ...inputs, encrypted: mod((inputs.encrypted as bigint) + R - 1n) });
  });
});

everyStatementCounts({
  ...spendForgeries(spendInputs),
  "NoteOpening(note)": { inputs: spendInputs({ ...HONEST, note: 77n }) },
  "NextSalt(note)": { inputs: spendInputs({ ...HONEST, newSalt: 99n }), fixed: { newSalt: 99n } },
  "equation(amount, encrypted, pad)": otherCommitment(honest, "encrypted"),
});

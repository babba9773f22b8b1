import { poseidon2 } from "poseidon-lite";
import { expect, test } from "vitest";
import { guarantees } from "./guarantees.ts";
import { HONEST, spendForgeries } from "./spend-forgeries.ts";
import { spendRules } from "./spend-rules.ts";
import { spendPublicInputs } from "./spend-vectors.ts";
import { available } from "./vectors.ts";

const honest = spendPublicInputs(HONEST);
const circuit = guarantees({ name: "spend-public", constraints: 1758, honest });

spendRules(circuit, spendPublicInputs);

test.each([0n, 1n, 2n])("in mode %s the new salt is Poseidon(5, old salt) and no other", async (mode) => {
  expect(honest.newAvailable).toBe(
    available(750n, poseidon2([5n, honest.oldSalt as bigint]), { spent: 290n, day: HONEST.day }),
  );
  const spending = { ...HONEST, mode, day: mode === 2n ? 0n : HONEST.day };
  await circuit.refuses(spendPublicInputs({ ...spending, newSalt: 99n }), "WindowedAvailableOpening");
});

circuit.everyStatementCounts({
  ...spendForgeries(spendPublicInputs),
  "Poseidon()": { inputs: spendPublicInputs({ ...HONEST, newSalt: 99n }), fixed: { newSalt: 99n } },
});

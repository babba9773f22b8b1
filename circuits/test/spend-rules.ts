import { describe, expect, test } from "vitest";
import { inverse, mod, R } from "../witness/field.ts";
import type { Inputs } from "./forge.ts";
import type { guarantees } from "./guarantees.ts";
import { BY_WALLET, HONEST } from "./spend-forgeries.ts";
import { NO_LIMITS, policy, type Spending } from "./spend-vectors.ts";
import { SECOND_SPLITS } from "./splits.ts";
import { MAX } from "./vectors.ts";

const { window, day, limits } = HONEST;
const later = { day: day + 1n };
const [OWN, APPROVED, WALLET] = [0n, 1n, 2n];
/** 2 + 4 * noDay = 4 * day in the field. */
const noDay = mod((4n * day - 2n) * inverse(4n));

/** What holds for every payment under a policy, whether to a note or of a public amount. */
export function spendRules(circuit: ReturnType<typeof guarantees>, inputsOf: (spending: Spending) => Inputs) {
  const accepts = (change: Partial<Spending>, base = HONEST) => circuit.accepts(inputsOf({ ...base, ...change }));
  const refuses = (change: Partial<Spending>, template: string | string[], base = HONEST) =>
    circuit.refuses(inputsOf({ ...base, ...change }), ...[template].flat());

  const refusesAnyhow = (change: Partial<Spending>) => circuit.refusesAnyhow(inputsOf({ ...HONEST, ...change }));

  describe("amounts", () => {
    test.each([
      ["the whole available balance", { limit: 250n }, HONEST],
      ["the largest payment without approval", { amount: 300n }, HONEST],
      ["the largest payment with approval", { amount: 500n, mode: APPROVED }, HONEST],
      ["the last of the day", { window: { spent: 350n, day } }, HONEST],
      [
        "the largest payment, all of the day",
        { amount: 500n, mode: APPROVED, limits: { ...limits, daily: 540n } },
        HONEST,
      ],
      ["the most that there is, by the wallet", { limit: MAX, amount: MAX }, BY_WALLET],
      [
        "the most that there is, under limits that allow it",
        { limit: MAX, amount: MAX, ...later, limits: NO_LIMITS },
        HONEST,
      ],
      ["more than every limit, by the wallet", { amount: 1000n, window: { spent: MAX, day } }, BY_WALLET],
    ])("%s is accepted", async (_, change, base) => {
      await accepts(change, base);
    });

    test.each([
      ["nothing", { amount: 0n }, ["Range64"]],
      ["one more than the available balance", { limit: 249n }, ["Range64"]],
      ["a negative amount", { amount: -1n }, ["PolicyRules", "Range64"]],
      ["2^64 from an available balance of 2^64", { limit: MAX + 1n, amount: MAX + 1n }, ["PolicyRules", "Range64"]],
      ["1 from an available balance of 2^64", { limit: MAX + 1n, amount: 1n }, ["Range64"]],
      ["a negative amount near the edge", { limit: 0n, amount: R - MAX }, ["PolicyRules", "Range64"]],
    ])("%s is refused, also by the wallet", async (_, change, templates) => {
      await refuses(change, templates, BY_WALLET);
    });

    test.each([
      ["over the limit of a payment without approval", { amount: 301n }],
      ["over the limit of a payment with approval", { amount: 501n, mode: APPROVED }],
      ["over the limit of the day", { window: { spent: 351n, day } }],
      ["over the limit of the day with approval", { window: { spent: 351n, day }, mode: APPROVED }],
      ["over the limit of the day on a new day", { ...later, limits: { ...limits, daily: 249n } }],
    ])("%s is refused", async (_, change) => {
      await refuses(change, "PolicyRules");
    });
  });

  describe("invariant 1: a second split of the packed commitment", () => {
    test.each(SECOND_SPLITS)("%s is refused in every mode", async (_, split, template) => {
      const { limit, spent, day: oldDay } = split;
      const change = { limit, window: { spent, day: oldDay } };
      for (const mode of [OWN, APPROVED, WALLET]) {
        const inputs = inputsOf({ ...HONEST, mode, ...change, limits: mode === WALLET ? NO_LIMITS : limits });
        expect(circuit.refusesForged(inputs), `mode ${mode}`).toContain(template);
      }
    });

    test.each([
      [
        "a payment limit of 2^64 more for a unit of the daily limit",
        { ...limits, perPayment: 500n + 2n ** 64n, daily: 599n },
      ],
      [
        "a daily limit of 2^64 more for a unit of the threshold",
        { ...limits, daily: 600n + 2n ** 64n, threshold: 299n },
      ],
    ])("of the policy: %s is refused", async (_, split) => {
      await refuses({ limits: split, policy: policy(limits) }, "PolicyRules");
    });
  });

  describe("invariants 2 and 3: what was spent", () => {
    test.each([OWN, APPROVED])(
      "in mode %s counts on its day and on an earlier one, and starts again on a later one",
      async (mode) => {
        await accepts({ mode });
        await accepts({ mode, day: day - 1n });
        await accepts({ mode, day: 0n });
        await accepts({ mode, ...later });
        await accepts({ mode, day: 2n ** 32n - 1n });
        await accepts({ mode, window: { spent: 600n, day }, ...later });
      },
    );

    test.each([
      ["nothing counted", { newWindow: window }],
      ["less than before", { newWindow: { spent: 0n, day } }],
      ["the amount alone, on the same day", { newWindow: { spent: 250n, day } }],
      ["the amount alone, on an earlier day", { day: day - 1n, newWindow: { spent: 250n, day } }],
      ["the amount alone, with the day left as it was", { ...later, newWindow: { spent: 250n, day } }],
      ["an earlier day", { day: day - 1n, newWindow: { spent: 250n, day: day - 1n } }],
      ["a later day than the terms name", { newWindow: { spent: 250n, day: day + 1n } }],
    ])("is not forged in modes 0 and 1: %s is refused", async (_, change) => {
      for (const mode of [OWN, APPROVED]) await refuses({ ...change, mode }, "WindowedAvailableOpening");
    });

    test.each([
      ["more spent", { ...window, spent: 290n }],
      ["nothing spent", { ...window, spent: 0n }],
      ["another day", { ...window, day: day + 1n }],
      ["no day", { spent: 0n, day: 0n }],
    ])("is left alone by mode 2: %s is refused", async (_, newWindow) => {
      await refuses({ newWindow }, "WindowedAvailableOpening", BY_WALLET);
    });

    test("is left alone by mode 2 whatever day the terms name", async () => {
      await accepts({ ...later }, BY_WALLET);
    });
  });

  describe("invariant 4: terms", () => {
    test.each([
      ["mode 0 with a witness of mode 1", { mode: APPROVED, amount: 301n, terms: 4n * day }],
      ["mode 0 with a witness of mode 2", { mode: WALLET, amount: 301n, terms: 4n * day }],
      ["mode 1 with a witness of mode 2", { mode: WALLET, amount: 301n, terms: 1n + 4n * day }],
      ["another day than the witness", { ...later, terms: 4n * day }],
      ["mode 0, split into mode 2 and a day that is no day", { mode: WALLET, day: noDay, terms: 4n * day }],
      ["mode 3", { mode: 3n }],
    ])("%s are refused", async (_, change) => {
      const limitsOf = "mode" in change && change.mode === WALLET ? NO_LIMITS : limits;
      await refusesAnyhow({ ...change, limits: limitsOf });
    });
  });

  describe("invariant 5: the policy", () => {
    test.each([OWN, APPROVED])("in mode %s neither zero nor foreign", async (mode) => {
      await refusesAnyhow({ mode, policy: 0n });
      await refusesAnyhow({ mode, policy: policy({ ...limits, daily: 599n }) });
    });

    test("stays closed in mode 2: any commitment is accepted, and zero", async () => {
      for (const commitment of [0n, 12345n, policy(limits)]) await accepts({ policy: commitment }, BY_WALLET);
    });
  });
}

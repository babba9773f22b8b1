import { expect, it } from "vitest";
import { PARTS } from "../kill/product";
import { Model } from "./model";
import { SHORT_RUN } from "./short-run";

it("the run of npm test kills every part, freezes one, loses packets, moves the clock, takes blocks away, and does what a payment depends on", () => {
  const { seed, steps: count } = SHORT_RUN;
  const model = new Model(seed);
  const steps = Array.from({ length: count }, () => model.next());
  const killed = new Set(steps.flatMap(({ operation }) => (operation.kind === "kill" ? [operation.part] : [])));
  expect([...killed]).toEqual(expect.arrayContaining([...PARTS]));
  expect(model.setting.finality).toBe("safe");
  const done = steps.map(({ operation, expected }) =>
    [operation.kind, "decision" in operation ? operation.decision : "", expected.outcome].filter(Boolean).join(" "),
  );
  expect(done).toEqual(
    expect.arrayContaining([
      "clock done",
      "reorganize done",
      "rpc done",
      "lie done",
      "freeze done",
      "silence done",
      "pay sent",
      "agent_pay sent",
      "agent_pay awaiting",
      "decide approve sent",
      "pay_revoked refused",
      "rotate done",
      "policy done",
      "pause done",
      "payout sent",
      "refund sent",
      "withdraw sent",
    ]),
  );
});

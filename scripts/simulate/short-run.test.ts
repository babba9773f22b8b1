import { expect, it } from "vitest";
import { PARTS } from "../kill/product";
import { PROXIES, wayOf } from "./blind-key";
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

it("in it, an account and an agent with blind keys pay, some by two processes at once, and proxies are killed meanwhile", () => {
  const { seed, steps: count } = SHORT_RUN;
  const model = new Model(seed);
  const steps = Array.from({ length: count }, () => model.next());
  const blind = steps.flatMap(({ operation, expected }) => {
    const isBlind =
      (operation.kind === "pay" && operation.from > 0) || (operation.kind === "agent_pay" && operation.agent === 1);
    if (!isBlind || expected.outcome === "refused") return [];
    const { first, together, killAfter } = wayOf(operation.key, PROXIES + 1);
    const isKilled = killAfter !== undefined && first < PROXIES;
    return [`${operation.kind}${together ? " together" : ""}${isKilled ? " killed" : ""}`];
  });
  expect(blind).toEqual(expect.arrayContaining(["pay", "pay killed", "agent_pay together killed", "agent_pay killed"]));
});

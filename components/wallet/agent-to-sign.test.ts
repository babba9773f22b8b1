import { expect, test } from "vitest";
import { agentToSign } from "./agent-to-sign";

test("what is signed about an agent names it, and says what it is where the struct is another act's", () => {
  expect(agentToSign("end", "@ada/bot")).toEqual({
    types: ["SetAgentSigner"],
    facts: [{ name: "Agent", value: "@ada/bot" }],
  });
  // All three sign a policy; only one of them has been edited on the page.
  expect(agentToSign("policy", "@ada/bot").purpose).toBeUndefined();
  for (const [act, title] of [
    ["resume", "Resume an agent"],
    ["policy again", "Sign the agent's policy again"],
  ] as const) {
    const { types, facts, purpose } = agentToSign(act, "@ada/bot");
    expect([types, facts]).toEqual([["SetPolicy"], [{ name: "Agent", value: "@ada/bot" }]]);
    expect(purpose?.title).toBe(title);
    expect(purpose?.sentence).not.toContain("saved");
  }
});

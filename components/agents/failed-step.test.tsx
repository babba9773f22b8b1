import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ServiceUnreachable } from "@/sdk/api/errors";
import type { AgentStepName } from "./create-steps";
import { FailedStep } from "./failed-step";

function shown(name: AgentStepName, mayHaveHappened: boolean): string {
  const error = Object.assign(new ServiceUnreachable("-"), { mayHaveHappened });
  const nothing = () => {};
  return renderToStaticMarkup(
    <FailedStep
      name={name}
      error={error}
      label="First key"
      kept
      agents="/test/agents"
      agent="acct_1"
      onAgain={nothing}
      onLeaveOut={nothing}
      onBack={nothing}
    />,
  );
}

test("where a key or an agent may exist, the step shows where to look and makes no second one", () => {
  for (const name of ["register", "key"] as const) {
    expect(shown(name, true), name).toContain("Not known yet");
    expect(shown(name, true), name).not.toMatch(/again<\/button>/);
  }
  expect(shown("register", true)).toContain('href="/test/agents"');
  expect(shown("key", true)).toContain('href="/test/agents/acct_1"');
  expect(shown("key", true)).toContain("First key");
});

test("a payment is checked again, which never pays twice; what was not done is tried again", () => {
  expect(shown("fund", true)).toContain("Check again");
  expect(shown("fund", true)).toContain("it is moved only once");
  for (const name of ["register", "fund", "key"] as const) expect(shown(name, false), name).toContain("Try again");
  expect(shown("key", false)).toContain("What is done stays done.");
});

import { expect, test } from "vitest";
import { isCodeChallenge, verifiesChallenge } from "./pkce";

// RFC 7636, appendix B.
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

test("a verifier proves its own challenge", () => {
  expect(isCodeChallenge(CHALLENGE)).toBe(true);
  expect(verifiesChallenge(VERIFIER, CHALLENGE)).toBe(true);
});

test.each([
  ["another verifier", VERIFIER.replace("d", "e"), CHALLENGE],
  ["the challenge itself, as with the method plain", CHALLENGE, CHALLENGE],
  ["one that is too short", "short", CHALLENGE],
  ["none", "", CHALLENGE],
  ["one with other characters", `${VERIFIER}=`, CHALLENGE],
  ["a challenge of another length", VERIFIER, CHALLENGE.slice(1)],
])("%s does not", (_, verifier, challenge) => expect(verifiesChallenge(verifier, challenge)).toBe(false));

test.each(["", "plain", `${CHALLENGE}=`, CHALLENGE.slice(1), `${CHALLENGE.slice(1)}+`])("%j is no challenge", (text) =>
  expect(isCodeChallenge(text)).toBe(false),
);

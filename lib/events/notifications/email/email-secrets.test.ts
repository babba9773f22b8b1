import { expect, test } from "vitest";
import { inboxOf } from "./email-secrets";

test("spellings that lead to one inbox share its limits, and other inboxes do not", () => {
  for (const same of ["a.d.a@mail.example", "ADA@mail.example", "ada+shop@mail.example", "a.da+x.y@Mail.Example"]) {
    expect(inboxOf(same), same).toBe(inboxOf("ada@mail.example"));
  }
  for (const other of ["ada@mailexample", "bob@mail.example", "ada@mail.example.net"]) {
    expect(inboxOf(other), other).not.toBe(inboxOf("ada@mail.example"));
  }
});

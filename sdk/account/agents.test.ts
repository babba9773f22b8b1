import { expect, test } from "vitest";
import { isNamed } from "./agents";

test("an agent is named by its own name or its whole handle, in either case, and never by another owner's", () => {
  for (const name of ["bot", "Bot", "@alice/bot", "alice/BOT"]) expect(isNamed("@alice/bot", name)).toBe(true);
  for (const name of ["", "@bot", "alice", "@bob/bot", "bot2", "alice/bot/x"]) {
    expect(isNamed("@alice/bot", name), name).toBe(false);
  }
});

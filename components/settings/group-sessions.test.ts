import { expect, test } from "vitest";
import { groupSessions } from "./group-sessions";

const session = (session_id: string, user_agent: string, rest: Partial<{ current: boolean; hour: number }> = {}) => ({
  session_id,
  user_agent,
  client_address: "203.0.113.7",
  created_at: `2026-11-25T0${rest.hour ?? 1}:00:00.000Z`,
  expires_at: `2026-11-25T1${rest.hour ?? 1}:00:00.000Z`,
  current: rest.current ?? false,
});

test("sessions of one client at one address are one row, with all of them to revoke; this browser is by itself", () => {
  const groups = groupSessions([
    session("s4", "node", { hour: 4 }),
    session("s3", "curl/8", { hour: 3 }),
    session("s2", "curl/8", { hour: 2, current: true }),
    session("s1", "node", { hour: 1 }),
    { ...session("s0", "node"), client_address: "203.0.113.8" },
  ]);
  expect(groups.map(({ sessions }) => sessions.map(({ session_id }) => session_id))).toEqual([
    ["s4", "s1"],
    ["s3"],
    ["s2"],
    ["s0"],
  ]);
  expect(groups[0]).toMatchObject({ since: "2026-11-25T04:00:00.000Z", ends: "2026-11-25T14:00:00.000Z" });
});

import { expect, test } from "vitest";
import type { ContextAccount, KeyContext, SessionContext } from "@/lib/base/context/context";
import { actorOf } from "./append";

const request = { network: "test", chainId: 46630, requestId: "req_1", clientAddress: "192.0.2.7" } as const;
const accountOf = (type: "personal" | "agent") => ({ id: "acct_1", type }) as ContextAccount;
const withKey = (type: "personal" | "agent") =>
  ({ ...request, actor: "key", keyId: "key_1", account: accountOf(type) }) as KeyContext;

test("who acted is the session, the account's key or the agent's key of the request, at its address", () => {
  const session = { ...request, actor: "session", sessionId: "sess_1", account: accountOf("personal") };
  const at = { clientAddress: "192.0.2.7" };
  expect(actorOf(session as SessionContext)).toEqual({ actorType: "session", actorId: "sess_1", ...at });
  expect(actorOf(withKey("personal"))).toEqual({ actorType: "key", actorId: "key_1", ...at });
  expect(actorOf(withKey("agent"))).toEqual({ actorType: "agent", actorId: "key_1", ...at });
});

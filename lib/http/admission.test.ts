import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { ApiError } from "@/lib/base/errors";
import { Admission, keepingPlace, type Priority, placeOfRequest, priorityOf, withPlace } from "./admission";
import { DOORS, doorOf, NOWHERE } from "./doors";
import type { RequestOwner } from "./known-callers";

const ORDER: Priority[] = ["public", "test_read", "live_read", "test_write", "live_write"];
let people = 0;
/** Someone who has no other request. */
const anyone = (kind: RequestOwner["kind"] = "account"): RequestOwner => {
  people += 1;
  return { kind, name: `someone ${people}` };
};
const response = () => Object.assign(new EventEmitter(), { writeHead: () => {} }) as unknown as ServerResponse;

const request = (method: string, url: string, headers: IncomingMessage["headers"] = {}, wallet?: string) =>
  priorityOf({ method, url, headers } as IncomingMessage, doorOf(url.split("?")[0] ?? "") ?? NOWHERE, wallet);
const key = (text: string) => ({ authorization: `Bearer ${text}` });
const SESSION = { cookie: "theme=dark; __Secure-next-auth.session-token=a.b" };

describe("a process with more requests than it may have", () => {
  it("refuses reads before payments, and the test network before the live one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 200 }), fc.nat(200), (most, taken) => {
        const admission = new Admission(most);
        for (let i = 0; i < taken; i++) admission.enter("live_write", response(), anyone());
        const admitted = ORDER.map((priority) => {
          const one = response();
          const refused = admission.enter(priority, one, anyone());
          if (!refused) one.emit("close");
          return !refused;
        });
        // Once one priority is admitted, all later ones are.
        expect(admitted).toEqual([...admitted].sort());
      }),
    );
  });

  it("never has more than it may, and has room again when responses are out", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(4)), (most, arriving) => {
        const admission = new Admission(most);
        const open: ServerResponse[] = [];
        for (const priority of arriving) {
          const one = response();
          if (!admission.enter(ORDER[priority] as Priority, one, anyone())) open.push(one);
        }
        expect(open.length).toBeLessThanOrEqual(most);
        for (const one of open) one.emit("close");
        expect(admission.enter("test_read", response(), anyone())).toBeUndefined();
      }),
    );
  });

  it("lets refusals wait, longer the more there are, but not any number of them", () => {
    vi.useFakeTimers();
    try {
      const admission = new Admission(1);
      let refused = 0;
      const refuse = () => {
        refused += 1;
      };
      const refusedIn = (ms: number) => {
        vi.advanceTimersByTime(ms);
        return refused;
      };
      for (let i = 0; i < 5_000; i++) admission.turnAway(refuse);
      expect([refused, refusedIn(499), refusedIn(1)]).toEqual([1_000, 1_000, 1_201]);
      // Four hundred a second, and five seconds at most.
      expect([refusedIn(500), refusedIn(1_000), refusedIn(2_999), refusedIn(1)]).toEqual([1_401, 1_801, 3_000, 5_000]);
      admission.turnAway(refuse);
      expect(refusedIn(500)).toBe(5_001);
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not count a response that has begun: a client that reads it slowly takes no one's place", () => {
    const admission = new Admission(1);
    const slow = response();
    admission.enter("live_write", slow, anyone());
    expect(admission.enter("live_write", response(), anyone())).toBeDefined();
    slow.writeHead(200);
    const next = response();
    expect(admission.enter("live_write", next, anyone())).toBeUndefined();
    slow.emit("close");
    expect(admission.enter("live_write", response(), anyone())).toBeDefined();
  });

  it("does not count a request while its body arrives, and has to have room for it then", async () => {
    const admission = new Admission(1);
    const slow = response();
    const arrivals: (() => void)[] = [];
    admission.enter("live_write", slow, anyone());
    const arriving = () =>
      admission.whileArriving(slow, () => new Promise<void>((resolve) => arrivals.push(resolve)), anyone());
    const [first, other] = [arriving(), response()];
    expect(admission.enter("live_write", other, anyone())).toBeUndefined();
    arrivals[0]?.();
    await expect(first).rejects.toMatchObject({ code: "unavailable", retryAfter: 1 });
    const second = arriving();
    other.emit("close");
    arrivals[1]?.();
    await second;
    expect(admission.enter("live_write", response(), anyone())).toBeDefined();
    // A client that has left while its body arrived never counts again.
    const third = arriving();
    slow.emit("close");
    arrivals[2]?.();
    await third;
    expect(admission.enter("live_write", response(), anyone())).toBeUndefined();
  });

  it("counts a request until the whole response is out where the work goes on meanwhile", () => {
    const admission = new Admission(1);
    const tools = response();
    admission.enter("live_write", tools, anyone(), DOORS.mcp.counts);
    tools.writeHead(200);
    expect(admission.enter("live_write", response(), anyone())).toBeDefined();
    tools.emit("close");
    expect(admission.enter("live_write", response(), anyone())).toBeUndefined();
  });

  it("says when to come back, and that nothing was done", () => {
    const admission = new Admission(1);
    admission.enter("live_write", response(), anyone());
    expect(admission.enter("live_write", response(), anyone())).toMatchObject({
      code: "unavailable",
      retryAfter: 1,
      publicMessage: expect.stringContaining("Nothing was done"),
    });
  });
});

describe("one who makes many requests", () => {
  /** Asks as often as it can, without an end to any. Returns how many were let in, and the last refusal. */
  function flood(admission: Admission, owner: RequestOwner, priority: Priority, times = 1_200) {
    let letIn = 0;
    let refusal: ApiError | undefined;
    for (let i = 0; i < times; i++) {
      const refused = admission.enter(priority, response(), owner);
      if (refused) refusal = refused;
      else letIn += 1;
    }
    return { letIn, refusal };
  }

  it("has an eighth of the process by an address, a quarter by an account, and hears that it is its own doing", () => {
    for (const [kind, most] of [["address", 125] as const, ["account", 250] as const]) {
      const { letIn, refusal } = flood(new Admission(1_000), anyone(kind), "test_write");
      expect(letIn).toBe(most);
      expect(refusal).toMatchObject({ code: "rate_limited", retryAfter: 1 });
      expect(refusal?.publicMessage).toContain("Nothing was done");
    }
  });

  it("and others who do, by addresses and accounts, at any doors, leave a place for someone who has few", () => {
    const some = fc.record({
      kind: fc.constantFrom("address" as const, "account" as const),
      priority: fc.constantFrom(...ORDER),
    });
    const few = fc.constantFrom(...ORDER);
    fc.assert(
      fc.property(fc.array(some, { maxLength: 40 }), few, (attackers, priority) => {
        const admission = new Admission(1_000);
        for (const attacker of attackers) flood(admission, anyone(attacker.kind), attacker.priority, 300);
        const neighbour = anyone();
        expect(admission.enter(priority, response(), neighbour)).toBeUndefined();
      }),
      {
        numRuns: 30,
        // The worst: all of them at what is refused last.
        examples: [[Array.from({ length: 40 }, () => ({ kind: "account", priority: "live_write" })), "test_read"]],
      },
    );
  });

  it("has not got through what keys and sessions are looked up for, when it makes them up at many addresses", () => {
    const admission = new Admission(1_000);
    let letIn = 0;
    for (let at = 0; at < 200; at++) letIn += flood(admission, anyone("address"), "live_write", 300).letIn;
    expect(letIn).toBeLessThanOrEqual(500);
    const neighbour = anyone();
    for (let i = 0; i < 20; i++) expect(admission.enter("live_write", response(), neighbour)).toBeUndefined();
  });

  it("keeps no one's read waiting longer, whose own are few", () => {
    let now = 0;
    const admission = new Admission(10_000, () => now);
    const flooding = anyone();
    const open: ServerResponse[] = [];
    const ask = () => {
      const one = response();
      if (!admission.enter("test_read", one, flooding)) open.push(one);
    };
    for (let i = 0; i < 500; i++) ask();
    for (; now < 20_000; now += 5) {
      open.shift()?.emit("close");
      ask();
    }
    expect(admission.enter("test_read", response(), flooding)).toMatchObject({ code: "unavailable" });
    expect(admission.enter("test_read", response(), anyone())).toBeUndefined();
  });

  it("has its place back as soon as only its refusal is to come, and its account's once its body is there", async () => {
    const admission = new Admission(8);
    const [address, account] = [anyone("address"), anyone()];
    const refused = response();
    admission.enter("public", refused, address);
    expect(admission.enter("public", response(), address)).toBeDefined();
    withPlace(admission, refused, () => keepingPlace(() => placeOfRequest()?.giveUp()));
    expect(admission.enter("public", response(), address)).toBeDefined();
    withPlace(admission, refused, () => placeOfRequest()?.giveUp());
    const slow = response();
    expect(admission.enter("test_write", slow, address)).toBeUndefined();
    await admission.whileArriving(slow, async () => {}, account);
    expect(admission.enter("public", response(), address)).toBeUndefined();
    const known = response();
    const other = anyone("address");
    expect(admission.enter("test_write", known, other)).toBeUndefined();
    withPlace(admission, known, () => placeOfRequest()?.countFor(account));
    expect(admission.enter("test_write", response(), other)).toBeUndefined();
    expect(admission.enter("test_write", response(), account)).toMatchObject({ code: "rate_limited" });
  });
});

describe("reads that come faster than they are served", () => {
  /** Simulates a process that serves this many reads per second, with clients that each retry at once. */
  function saturated(perSecond: number, clients: number, seconds: number) {
    let now = 0;
    const admission = new Admission(10_000, () => now);
    const open: ServerResponse[] = [];
    const ask = (priority: Priority) => {
      const one = response();
      const refused = admission.enter(priority, one, anyone());
      if (!refused) open.push(one);
      return refused;
    };
    for (let i = 0; i < clients; i++) ask("live_read");
    for (; now < seconds * 1_000; now += 1_000 / perSecond) {
      open.shift()?.emit("close");
      ask("live_read");
    }
    return { ask, waiting: () => open.length };
  }

  it("wait a second at most, those of the test network half of it, and payments are taken all the same", () => {
    const { ask, waiting } = saturated(200, 1_000, 20);
    expect(waiting()).toBeLessThanOrEqual(201);
    expect(waiting()).toBeGreaterThan(100);
    expect(ask("live_read")).toBeDefined();
    expect(ask("test_read")).toBeDefined();
    expect(ask("test_write")).toBeUndefined();
  });

  it("are not refused while they are few, however slow they are", () => {
    const { ask, waiting } = saturated(10, 63, 20);
    expect(waiting()).toBe(63);
    expect(ask("test_read")).toBeUndefined();
  });

  it("are not refused when many come at once after a time with few", () => {
    const { ask } = saturated(10, 3, 20);
    for (let i = 0; i < 200; i++) expect(ask("test_read")).toBeUndefined();
  });
});

describe("the priority of a request", () => {
  it("follows from its method and from the network of its key or its session", () => {
    expect(request("POST", "/v1/transfers", key("hc_live_1"))).toBe("live_write");
    expect(request("POST", "/v1/transfers", key("hc_test_1"))).toBe("test_write");
    expect(request("GET", "/v1/transfers?limit=5", key("hc_live_1"))).toBe("live_read");
    expect(request("HEAD", "/v1/transfers", key("hc_test_1"))).toBe("test_read");
    expect(request("POST", "/mcp/live", key("hc_live_1"))).toBe("live_write");
    expect(request("POST", "/mcp/test", key("hc_test_1"))).toBe("test_write");
    expect(request("POST", "/v1/transfers?network=live", SESSION)).toBe("live_write");
    expect(request("GET", "/v1/transfers?a=1&network=live", SESSION)).toBe("live_read");
    // As the route reads it: without a network it is the test network's.
    expect(request("POST", "/v1/transfers", SESSION)).toBe("test_write");
    expect(request("GET", "/live", SESSION, "0x1")).toBe("live_read");
  });

  it("is the lowest without a key or session, whatever the method and the network", () => {
    for (const path of ["/", "/docs", "/api/network?network=live", "/v1/transfers"]) {
      expect(request("GET", path)).toBe("public");
    }
    for (const path of ["/x402/settle", "/v1/transfers?network=live", "/oauth/token", "/api/kyc/webhook", "/live"]) {
      expect(request("POST", path)).toBe("public");
    }
    expect(request("POST", "/x402/settle", key("hc_live_1"))).toBe("public");
    expect(request("POST", "/api/auth/callback/siwe", SESSION)).toBe("public");
  });

  it("is the lowest where a key, or a cookie that this service did not make, means nothing", () => {
    for (const headers of [SESSION, key("hc_live_1")]) expect(request("GET", "/live/keys", headers)).toBe("public");
    expect(request("GET", "/api/network?network=live", key("hc_live_1"))).toBe("public");
    expect(request("POST", "/mcp/live?network=live", SESSION)).toBe("public");
  });

  it("is its key's where a session is taken too, whatever the key is", () => {
    const both = (text: string) => request("POST", "/v1/transfers?network=live", { ...SESSION, ...key(text) });
    expect([both("hc_live_1"), both("hc_test_1"), both("none")]).toEqual(["live_write", "test_write", "public"]);
  });

  it("is the lowest for what is the same for everyone, whatever the browser sends", () => {
    for (const path of ["/", "/docs/mcp", "/nowhere", "/circuits/transfer.zkey"]) {
      expect(request("GET", path, SESSION)).toBe("public");
    }
  });
});

it("probes and streams are never refused here", () => {
  const admission = new Admission(1);
  admission.enter("live_write", response(), anyone());
  for (const { counts } of [DOORS.probes, DOORS.stream]) {
    expect(admission.enter("public", response(), anyone(), counts)).toBeUndefined();
  }
  expect(admission.enter("live_write", response(), anyone())).toBeDefined();
});

import { describe, expect, it } from "vitest";
import { addEvent, type DoctoredFacts, perfectFacts } from "@/test/simulate/perfect-facts";
import { checkFacts } from "./check-facts";

const SEED = 12;
const STEPS = 400;

/** What is said of a run that was perfect but for this. */
function doctored(doctor: (facts: DoctoredFacts) => void): string[] {
  const facts = perfectFacts(SEED, STEPS);
  doctor(facts);
  return checkFacts(facts);
}

function found<T>(list: readonly T[], is: (one: T) => boolean): T {
  const one = list.find(is);
  if (one === undefined) throw new Error("there is none to doctor");
  return one;
}

/** The first transfer that was paid once. */
const first = (transfers: DoctoredFacts["transfers"]) =>
  found(transfers, ({ status, id }) => status === "confirmed" && !id.endsWith("_run"));

/** Takes everything that is so out of a list. */
function remove<T>(list: T[], is: (one: T) => boolean): void {
  found(list, is);
  list.splice(0, list.length, ...list.filter((one) => !is(one)));
}

describe("a run in which every promise was kept", () => {
  it.each([1, 2, 3, SEED])("is found to be so (seed %i)", (seed) => {
    expect(checkFacts(perfectFacts(seed, STEPS))).toEqual([]);
  });
});

describe("a broken promise is found:", () => {
  it("a payment made twice, though everyone was given one id", () => {
    const wrong = doctored((facts) => {
      const { transfers, onChain } = facts;
      const copies = transfers.filter(({ id }) => id === first(transfers).id);
      transfers.push(...copies.map((one) => ({ ...one, id: "tr_again", txHash: "0xagain" })));
      onChain.add("0xagain");
      for (const { seenBy, direction } of copies) {
        for (const type of ["transfer.initiated", "transfer.confirmed"]) {
          const id = `evt_${type}_${direction}`;
          addEvent(facts, { seenBy, id, type, about: "tr_again", direction, early: false, payload: {} });
        }
      }
    });
    expect(wrong.join("\n")).toMatch(/was accepted as 1 transfers, and 2 were sent/);
    expect(wrong.join("\n")).toMatch(/is tr_again, which no client was given/);
  });

  it("a repetition that was given another transfer", () => {
    const wrong = doctored(({ steps, ended }) => {
      const { n } = found(steps, ({ operation }) => operation.kind === "repeat");
      ended.set(n, { outcome: "sent", id: "tr_other" });
    });
    expect(wrong.join("\n")).toMatch(/has several transfers/);
  });

  it("an accepted payment that no one has", () => {
    const wrong = doctored(({ transfers }) => {
      const id = first(transfers).id;
      remove(transfers, (one) => one.id === id);
    });
    expect(wrong.join("\n")).toMatch(/accepted as 1 transfers, and 0 were sent/);
  });

  it("a payment that arrived as another amount", () => {
    const wrong = doctored(({ transfers }) => {
      const one = found(transfers, ({ direction }) => direction === "received");
      one.amount = (one.amount ?? 0n) - 1n;
    });
    expect(wrong.join("\n")).toMatch(/accepted as 1 transfers, and 0 were received/);
  });

  it("a withdrawal that came twice, or not at all", () => {
    for (const times of [0n, 2n]) {
      const wrong = doctored(({ withdrawn }) => {
        const [[step, amount] = [0, 0n]] = withdrawn;
        withdrawn.set(step, times * amount);
      });
      expect(wrong.join("\n")).toMatch(/^step \d+ withdrew \d+ millionths, and \d+ came$/);
    }
  });

  it("a payment that went to another account", () => {
    const wrong = doctored(({ transfers }) => {
      const { id } = first(transfers);
      for (const one of transfers) if (one.id === id) one.to = "party-9";
    });
    expect(wrong.join("\n")).toMatch(/went from party-\d\S* to party-9/);
  });

  it("a refused payment that was made all the same", () => {
    const wrong = doctored(({ steps, transfers, onChain }) => {
      const refused = found(
        steps,
        ({ operation, expected }) => operation.kind === "pay" && expected.outcome === "refused",
      );
      if (refused.operation.kind !== "pay") return;
      transfers.push({ ...first(transfers), id: "tr_refused", txHash: "0xrefused", amount: refused.operation.amount });
      onChain.add("0xrefused");
    });
    expect(wrong.join("\n")).toMatch(/was accepted as 0 transfers, and 1 were/);
  });

  it("a payment that failed, or is still pending", () => {
    for (const status of ["failed", "pending"] as const) {
      const wrong = doctored(({ transfers }) => {
        const { id } = first(transfers);
        for (const one of transfers) if (one.id === id) one.status = status;
      });
      expect(wrong.join("\n")).toMatch(status === "failed" ? /is failed, and its transaction went through/ : /pending/);
    }
  });

  it("a payment that had to fail and did not, and a date of a schedule that was paid twice", () => {
    const confirmed = doctored(({ transfers, onChain }) => {
      const one = found(transfers, ({ status }) => status === "failed");
      one.status = "confirmed";
      onChain.add(one.txHash);
    });
    expect(confirmed.join("\n")).toMatch(/had to fail, and is not: tr_/);
    const twice = doctored(({ runs }) => {
      const run = found(runs, () => true);
      runs.push({ ...run, transfers: ["tr_twice"] });
    });
    expect(twice.join("\n")).toMatch(/has several transfers: tr_\d+_run, tr_twice/);
  });

  it("a payment called confirmed that the chain does not have", () => {
    const wrong = doctored(({ transfers, onChain }) => onChain.delete(first(transfers).txHash));
    expect(wrong.join("\n")).toMatch(/is confirmed, and its transaction did not go through/);
  });

  it("money that was lost, or came from nowhere", () => {
    expect(doctored((facts) => (facts.held -= 1n)).join("\n")).toMatch(/everyone's own keys show/);
    expect(doctored((facts) => (facts.ledgerGrew += 1n)).join("\n")).toMatch(/the ledger grew by/);
    expect(doctored((facts) => (facts.unreadable += 1)).join("\n")).toMatch(/can't be decrypted/);
  });

  it("an agent that paid more than its limits", () => {
    expect(
      doctored(({ policies }) =>
        policies.forEach((one) => {
          one.daily = 300_000_000_000n;
        }),
      ).join("\n"),
    ).toMatch(/on 20\d\d-\d\d-\d\d, with a limit of/);
    expect(
      doctored(({ policies }) =>
        policies.forEach((one) => {
          one.perTransaction = 1n;
        }),
      ).join("\n"),
    ).toMatch(/paid more at once than it may/);
  });

  it("a refusal that was none, a payment let pass that was to wait, a step that hangs", () => {
    const wrong = doctored(({ steps, ended }) => {
      const { n } = found(steps, ({ expected }) => expected.outcome === "refused");
      ended.set(n, { outcome: "sent", id: "tr_sneaked" });
      const awaiting = found(steps, ({ expected }) => expected.outcome === "awaiting");
      ended.set(awaiting.n, { outcome: "sent", id: "tr_unasked" });
      const last = found(steps, ({ operation }) => operation.kind === "make_available");
      ended.set(last.n, { outcome: "stuck", message: "unavailable" });
      const forgotten = found(steps, ({ operation }) => operation.kind === "resume");
      ended.delete(forgotten.n);
    });
    expect(wrong.join("\n")).toMatch(/had to end refused .* and ended sent/);
    expect(wrong.join("\n")).toMatch(/had to end awaiting, and ended sent/);
    expect(wrong.join("\n")).toMatch(/had to end done, and ended stuck unavailable/);
    expect(wrong.join("\n")).toMatch(/\(resume\) never ended/);
  });

  it("a payment that was rejected and approved all the same", () => {
    const wrong = doctored(({ approvals }) => {
      const [id] = found([...approvals], ([, { status }]) => status === "rejected");
      approvals.set(id, { status: "approved", overdue: false });
    });
    expect(wrong.join("\n")).toMatch(/has to be rejected, and is approved/);
  });

  it("a payment that still waits though its window has passed", () => {
    const wrong = doctored(({ approvals }) => {
      const [, one] = found([...approvals], ([, { status }]) => status === "pending_approval");
      one.overdue = true;
    });
    expect(wrong.join("\n")).toMatch(/has to be expired, and is pending_approval/);
  });

  it.each([
    "transfer.initiated",
    "transfer.confirmed",
    "transfer.failed",
    "payout.finished",
    "payment_request.paid",
    "agent.transaction.pending_approval",
    "agent.created",
    "agent.paused",
    "agent.resumed",
    "agent.policy.updated",
    "deposit.confirmed",
    "balance.made_available",
    "key.created",
    "key.revoked",
    "schedule.due",
    "schedule.run_paid",
    "schedule.run_missed",
  ])("an event that is missing, or happened twice (%s)", (type) => {
    const missing = doctored(({ events, deliveries }) => {
      const { id } = found(events, (one) => one.type === type);
      remove(events, (one) => one.id === id);
      remove(deliveries, (one) => one.eventId === id);
    });
    expect(missing).toEqual([
      expect.stringMatching(new RegExp(`^${type}.* happened (0 times, not 1|\\d+ times, not \\d+)$`)),
    ]);
    const twice = doctored((facts) =>
      addEvent(facts, { ...found(facts.events, (each) => each.type === type), id: "evt_twice" }),
    );
    expect(twice).toEqual([expect.stringMatching(new RegExp(`^${type}.* happened \\d+ times, not \\d+$`))]);
  });

  it("an event of something that never was", () => {
    const created = (type: string, about: string) =>
      doctored((facts) =>
        addEvent(facts, { seenBy: "party-0", id: "evt_made", type, about, direction: "", early: false, payload: {} }),
      );
    expect(created("key.revoked", "key_of_no_one")).toEqual([
      "key.revoked of key_of_no_one at party-0 happened 1 times, not 0",
    ]);
    expect(created("agent.ended", "party-0/bot")).toEqual([
      "agent.ended of party-0/bot at party-0 happened 1 times, not 0",
    ]);
    expect(created("webhook.disabled", "party-0")).toHaveLength(1);
    // As often as it is interrupted.
    expect(created("payout.paused", "po_1")).toEqual([]);
  });

  it("a key that works though it was revoked, one that was revoked by no one, and one that is gone", () => {
    const changed = (revoked: boolean) =>
      doctored(({ keys }) => {
        const key = found(keys, (one) => one.revoked !== revoked);
        key.revoked = revoked;
      });
    expect(changed(false).join("\n")).toMatch(/^the API key key_\d+ has to be revoked, and is not revoked$/m);
    expect(changed(true).join("\n")).toMatch(/^the API key key_\d+ has to be valid, and is revoked$/m);
    expect(doctored(({ keys }) => void keys.shift()).join("\n")).toMatch(/^the API key key_0 is in no list$/m);
  });

  it("a run of a schedule that is called paid and is not, or the other way round", () => {
    const missed = doctored(({ runs }) => {
      found(runs, ({ status }) => status === "paid").status = "missed";
    });
    expect(missed.join("\n")).toMatch(/^the run run_\d+ is missed, and was paid$/m);
    const paid = doctored(({ runs }) => {
      found(runs, ({ status }) => status === "missed").status = "paid";
    });
    expect(paid.join("\n")).toMatch(/^the run run_\d+_missed is paid, and no one was paid$/m);
  });

  it("a request that failed inside the service, though a retry got past it", () => {
    expect(doctored(({ internal }) => internal.push("POST /v1/transfers, request req_1"))).toEqual([
      "the service failed: POST /v1/transfers, request req_1",
    ]);
  });

  it("a request of which two processes got responses that can't both be true", () => {
    expect(doctored(({ contradictions }) => contradictions.push("simulated-1-2 is tr_1 and tr_2"))).toEqual([
      "two processes heard otherwise: simulated-1-2 is tr_1 and tr_2",
    ]);
  });

  it("an event that never came, or that came and is none; one that came twice is right", () => {
    const { deliveries } = perfectFacts(SEED, STEPS);
    const one = deliveries[0] as (typeof deliveries)[number];
    expect(doctored((facts) => remove(facts.deliveries, ({ eventId }) => eventId === one.eventId)).join("\n")).toMatch(
      /never delivered: evt_0/,
    );
    expect(doctored((facts) => facts.deliveries.push({ ...one, eventId: "evt_made_up" })).join("\n")).toMatch(
      /delivered, but no event: evt_made_up/,
    );
    expect(doctored((facts) => facts.deliveries.push(one))).toEqual([]);
  });

  it("a payment that the ledger made twice and the lists show once, or not at all", () => {
    const twice = doctored(({ transfers, logged }) => logged.set(first(transfers).txHash, 2));
    expect(twice).toEqual([expect.stringMatching(/^0x\S+ made 2 payments on the ledger, and 1 are listed$/)]);
    expect(doctored(({ logged }) => logged.set("0xunlisted", 1))).toEqual([
      "0xunlisted made 1 payments on the ledger, and 0 are listed",
    ]);
  });

  it("a payment that is shown with the transaction of another one", () => {
    const wrong = doctored(({ transfers }) => {
      const { id, txHash } = first(transfers);
      const other = first(transfers.filter((one) => one.txHash !== txHash));
      for (const one of transfers) if (one.id === id) one.txHash = other.txHash;
    });
    expect(wrong.join("\n")).toMatch(/made 1 payments on the ledger, and 0 are listed/);
    expect(wrong.join("\n")).toMatch(/made 1 payments on the ledger, and 2 are listed/);
  });

  it("a payment that is made once more when its request is repeated at the end", () => {
    const { steps, ended } = perfectFacts(SEED, STEPS);
    const paid = found(steps, ({ operation, expected }) => operation.kind === "pay" && expected.outcome === "sent");
    expect(
      doctored((facts) => {
        const operation = { kind: "repeat", of: paid.n } as const;
        facts.steps.push({ n: STEPS, lane: paid.lane, operation, expected: { outcome: "sent" } });
        facts.ended.set(STEPS, { outcome: "sent", id: "tr_once_more" });
      }).join("\n"),
    ).toContain(`the payment of step ${paid.n} has several transfers: ${ended.get(paid.n)?.id}, tr_once_more`);
  });

  it("one party's money that another one has", () => {
    const wrong = doctored(({ balances, accounts }) => {
      const [one = "", other = ""] = accounts;
      balances.set(one, (balances.get(one) ?? 0n) - 5n);
      balances.set(other, (balances.get(other) ?? 0n) + 5n);
    });
    expect(wrong).toEqual([
      expect.stringMatching(/^party-0 has to have \d+ millionths, and has \d+$/),
      expect.stringMatching(/^party-1 has to have \d+ millionths, and has \d+$/),
    ]);
  });

  it("a time of confirmation that can't be", () => {
    for (const years of [-1, 1]) {
      const wrong = doctored((facts) => {
        const one = first(facts.transfers);
        facts.seen = Date.parse(facts.transfers.at(-1)?.createdAt ?? "") + 1_000;
        const moved = new Date(Date.parse(one.createdAt) + years * 366 * 86_400_000).toISOString();
        for (const each of facts.transfers) if (each.id === one.id) each.confirmedAt = moved;
      });
      expect(wrong.join("\n")).toMatch(/^tr_\S+ was accepted \S+, mined \d+, and is called confirmed/m);
    }
  });

  it.each([
    ["counterparty", "@somebody-else"],
    ["asset", "ETH"],
    ["tx_hash", "0xother"],
    ["account", "@somebody-else"],
  ])("an event with another %s than its transfer, stored or only delivered", (field, value) => {
    const stored = doctored(({ events, deliveries }) => {
      const event = found(events, ({ type }) => type === "transfer.confirmed");
      event.payload = { ...event.payload, [field]: value };
      for (const one of deliveries) if (one.eventId === event.id) one.payload = event.payload;
    });
    expect(stored).toEqual([expect.stringMatching(new RegExp(`^evt_\\d+ .* has another ${field}$`))]);
    const delivered = doctored(({ deliveries }) => {
      const one = found(deliveries, ({ payload }) => "counterparty" in payload);
      one.payload = { ...one.payload, [field]: value };
    });
    expect(delivered).toEqual([expect.stringMatching(/^delivered otherwise than listed: evt_/)]);
  });

  it("a delivery with another signature, or that its history has lost", () => {
    expect(
      doctored(({ deliveries }) => {
        found(deliveries, () => true).signed = false;
      }),
    ).toEqual([expect.stringMatching(/^not signed by its account's secret: evt_0 at/)]);
    expect(doctored(({ history }) => history.clear()).join("\n")).toMatch(
      /^delivered, and not in the history: evt_0 at/,
    );
  });

  const of = { seenBy: "party-0", eventId: "evt_0", seen: 6_000, queued: 0 };
  const attemptsAt = (...seconds: number[]) => seconds.map((at) => ({ begun: at * 1_000, ended: at * 1_000 }));

  it("an attempt before its time, or put off for a day; one that waits for an endpoint's pause is right", () => {
    const tried = (seconds: number, next: number | null) =>
      doctored(({ retries }) => {
        retries.push({ ...of, attempts: attemptsAt(0, seconds), next: next && next * 1_000, gaveUp: false });
      });
    expect(tried(4, null)).toEqual(["tried again before its time: evt_0 at party-0"]);
    expect(tried(5.2, null)).toEqual([]);
    expect(tried(5.2, 45)).toEqual([]);
    expect(tried(5.2, 86_400)).toEqual([expect.stringMatching(/^not tried again before 1970-01-02T00:00:00.000Z/)]);
  });

  it("a delivery that is never tried again; one that has had all its attempts, or a day, is right", () => {
    const givenUp = (...seconds: number[]) =>
      doctored(({ retries }) => {
        retries.push({ ...of, attempts: attemptsAt(...seconds), next: null, gaveUp: true });
      });
    expect(givenUp(0)).toEqual(["given up after 1 attempts: evt_0 at party-0"]);
    expect(givenUp(0, 86_390)).toEqual([]);
    expect(givenUp(...Array.from({ length: 15 }, (_, n) => 5 * 2 ** n))).toEqual([]);
  });

  it("an amount in clear", () => {
    expect(doctored(({ leaks }) => leaks.push("the amount of step 3, decimal in logs/web.log at 17"))).toEqual([
      "an amount in clear: the amount of step 3, decimal in logs/web.log at 17",
    ]);
  });
});

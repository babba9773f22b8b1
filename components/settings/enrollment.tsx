import { ChevronRight } from "lucide-react";
import { Address } from "@/components/ui/address";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Time } from "@/components/ui/time";
import type { Network } from "@/lib/base/network";
import type { ListedFact } from "./fact-list";
import { FactList } from "./fact-list";

/** What the ledger stores about the account. */
interface EnrollmentFacts {
  enrolled: "none" | "pending" | "enrolled";
  viewing_key: string | null;
  payment_key: string | null;
  /** Seconds since 1970, as text. */
  payment_key_until: string | null;
  block: string | null;
}

/** The last moment that a `Date` can represent, in seconds. */
const LAST_DATE = 8_640_000_000_000n;

function Until({ seconds }: { seconds: string | null }) {
  if (seconds === null || BigInt(seconds) > LAST_DATE) return "It does not expire.";
  return (
    <>
      Valid until <Time value={new Date(Number(seconds) * 1_000).toISOString()} deadline />.
    </>
  );
}

/** The account's public record on the network's ledger. */
export function Enrollment({ network, facts }: { network: Network; facts: EnrollmentFacts }) {
  const { enrolled, viewing_key, payment_key, payment_key_until, block } = facts;
  const list: ListedFact[] = [
    {
      name: "Status",
      value:
        enrolled === "enrolled" ? (
          <>
            <Badge tone="success">Enrolled</Badge>
            {block && <span className="text-muted tabular-nums">in block {block}</span>}
          </>
        ) : (
          <Badge tone="warning">Enrollment under way</Badge>
        ),
    },
  ];
  const keys: ListedFact[] = [
    ...(viewing_key
      ? [
          {
            name: "Viewing key",
            value: <Address value={viewing_key} label="viewing key" />,
            hint: "Public half. Payers encrypt to it; the half that decrypts amounts never leaves your devices.",
          },
        ]
      : []),
    ...(payment_key
      ? [
          {
            name: "Payment key",
            value: <Address value={payment_key} label="payment key's address" />,
            hint: (
              <>
                Signs payments from your available balance, for you and for your API keys.{" "}
                <Until seconds={payment_key_until} />
              </>
            ),
          },
        ]
      : []),
  ];
  return (
    <Card
      flush
      title={network === "live" ? "On the live ledger" : "On the test ledger"}
      description="What the chain shows about this account. Anyone can read it, and none of it is an amount."
    >
      <FactList facts={list} />
      {keys.length > 0 && (
        <details className="group border-line border-t text-sm">
          <summary className="flex cursor-pointer select-none items-center gap-1 px-4 py-3 text-muted hover:text-ink sm:px-5">
            <ChevronRight size={14} aria-hidden="true" className="transition-transform group-open:rotate-90" />
            Keys on the chain
          </summary>
          <FactList facts={keys} />
        </details>
      )}
    </Card>
  );
}

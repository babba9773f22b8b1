import { Address } from "@/components/ui/address";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Time } from "@/components/ui/time";
import type { ListedFact } from "./fact-list";
import { FactList } from "./fact-list";

/** The facts of an account that are the same on both networks. */
interface ProfileFacts {
  account_id: string;
  /** With the `@`. */
  handle: string;
  type: "personal" | "business" | "agent";
  public_key: string;
  created_at: string;
}

const TYPES = { personal: "Personal", business: "Business", agent: "Agent" };

function handleHint(handle: string): string {
  const name = handle.slice(1);
  return name.includes(".")
    ? `A domain's handle: the owner of the DNS record _halcyon.${name} could register it.`
    : "What others pay to. It stays with this wallet and cannot be changed. Handles with dots, such as @acme.com, belong to their domain's owner, who proves it by a DNS record at the first visit.";
}

/** Shows the account's profile, which is the same on both networks. */
export function Profile({ account }: { account: ProfileFacts }) {
  const { account_id, handle, type, public_key, created_at } = account;
  const facts: ListedFact[] = [
    {
      name: "Handle",
      value: (
        <>
          <span className="wrap-anywhere font-medium">{handle}</span>
          <CopyButton value={handle} label="handle" />
        </>
      ),
      hint: handleHint(handle),
    },
    { name: "Type", value: TYPES[type] },
    {
      name: "Wallet",
      value: <Address value={public_key} label="wallet address" />,
      hint: "Your address on chain. It signs in and makes money available, and only it can change the account's keys.",
    },
    {
      name: "Account ID",
      value: (
        <>
          <code className="wrap-anywhere font-mono text-[13px]">{account_id}</code>
          <CopyButton value={account_id} label="account ID" />
        </>
      ),
    },
    { name: "Created", value: <Time value={created_at} /> },
  ];
  return (
    <Card flush title="Profile" description="The same on both networks.">
      <FactList facts={facts} />
    </Card>
  );
}

import { Wallet } from "lucide-react";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { DoLink } from "./do-link";

/** For an account without money: how the first money arrives, and what happens to it. */
export function NoMoneyYet({ local }: { local: boolean }) {
  return (
    <Card flush className="pb-2">
      <EmptyState
        icon={<Wallet size={20} />}
        title="Nothing here yet"
        action={
          <DoLink act="add-funds" className={buttonClass("primary")}>
            {local ? "Get test money" : "Deposit"}
          </DoLink>
        }
      >
        Deposit from your wallet. Anyone can see a deposit. Make it available, and from then on only you see your
        balance and payments.
      </EmptyState>
    </Card>
  );
}

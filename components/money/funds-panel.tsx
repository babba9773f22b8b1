import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { DoLink } from "./do-link";

/** Where the owner starts a proof of funds. */
export function FundsPanel() {
  return (
    <Card
      title="Proof of funds"
      description="Show a bank or a landlord that this account holds at least a sum, and nothing more. You see everything that will be proved first."
      action={
        <DoLink act="prove-funds" className={buttonClass()}>
          Prove funds
        </DoLink>
      }
    />
  );
}

import { SearchX } from "lucide-react";
import { BackHome } from "@/components/shell/back-home";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";

/** An address of the dashboard where this account has nothing: another account's, another network's, or none's. */
export default function NotFound() {
  return (
    <Card flush className="pb-2">
      <EmptyState icon={<SearchX size={20} />} title="There is nothing here" action={<BackHome />}>
        This account has nothing at this address on this network. It may be on the other network, or another account's.
      </EmptyState>
    </Card>
  );
}

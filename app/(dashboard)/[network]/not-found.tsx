import { SearchX } from "lucide-react";
import { BackHome } from "@/components/shell/back-home";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";

/** Shown for an address that is not this account's: it belongs to another account or network, or does not exist. */
export default function NotFound() {
  return (
    <>
      <PageHeader title="Not found" description="This account has nothing at this address on this network." />
      <Card flush className="pb-2">
        <EmptyState icon={<SearchX size={20} />} title="There is nothing here" action={<BackHome />}>
          It may be on the other network, or belong to another account.
        </EmptyState>
      </Card>
    </>
  );
}

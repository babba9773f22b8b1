"use client";

import { onDemand } from "@/components/ui/on-demand";
import { usePayments } from "./payments-provider";

/** Few people have any, so the component is loaded only if there are some. */
const LostPayments = onDemand(() => import("./lost-payments").then((module) => module.LostPayments));

/** Reports payments that no open dialog reports. */
export function UnfinishedPayments() {
  const { kept } = usePayments();
  return kept.length > 0 ? <LostPayments /> : null;
}

"use client";

import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { useNetwork } from "./network-context";

/** To the first page of the network. */
export function BackHome() {
  return (
    <Link href={`/${useNetwork()}`} className={buttonClass("primary")}>
      Go to balances
    </Link>
  );
}

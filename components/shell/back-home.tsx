"use client";

import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { useNetwork } from "../api/network-context";

/** Links to the network's first page. */
export function BackHome() {
  return (
    <Link href={`/${useNetwork()}`} className={buttonClass("primary")}>
      Go to the overview
    </Link>
  );
}

"use client";

import { ArrowRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Link } from "@/components/ui/link";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { IdentityCheck } from "@/sdk/account/verify-identity";
import { HalcyonError } from "@/sdk/api/errors";
import { EnrollStep } from "./enroll-step";
import { HandleStep } from "./handle-step";
import { MoneyStep, type Waiting } from "./money-step";
import { PaymentStep } from "./payment-step";
import { ProgramCard } from "./program-card";
import { type FirstVisit, STEPS, stepNow, type WelcomeStepName } from "./progress";
import { StepText, WelcomeStep } from "./step";

const TITLES: Record<WelcomeStepName, string> = {
  handle: "Choose a handle",
  enroll: "Enroll your account",
  identity: "Verify your identity",
  money: "Add money",
  payment: "Make a payment",
};

/** The first visit, step by step, from a wallet to a first payment. */
export function Welcome({
  known,
  local,
  address,
  payee,
  waiting,
  keyed,
}: {
  /** As the server knew it when the page loaded. */
  known: FirstVisit;
  local: boolean;
  address: string;
  /** Whom the first payment goes to; left out where the person chooses. */
  payee?: string;
  /** What is there and not available yet. */
  waiting: Waiting | null;
  /** Whether there was an active API key when the page loaded. */
  keyed: boolean;
}) {
  const router = useRouter();
  const network = useNetwork();
  // From here on only this page's steps count: a later server render must not undo a step.
  const [visit, setVisit] = useState(known);
  // A later render knows the key that this page creates; the card still has to show it.
  const [hadKey] = useState(keyed);
  const [paidTo, setPaidTo] = useState(payee);
  const [acted, setActed] = useState(false);
  const now = stepNow(visit);
  const does = (fact: Partial<FirstVisit>) => {
    setActed(true);
    setVisit((before) => ({ ...before, ...fact }));
  };
  const bodies: Record<WelcomeStepName, () => ReactNode> = {
    handle: () => (
      <HandleStep
        onDone={(handle) => {
          does({ handle });
          // The account menu shows the handle in place of the address.
          router.refresh();
        }}
      />
    ),
    enroll: () => <EnrollStep handle={visit.handle ?? ""} onDone={() => does({ enrolled: true })} />,
    identity: () => <IdentityStep onDone={() => does({ verified: true })} />,
    money: () => (
      <MoneyStep local={local} address={address} waiting={waiting} onDone={() => does({ madeAvailable: true })} />
    ),
    payment: () => (
      <PaymentStep
        to={payee}
        onPaid={(to) => {
          setPaidTo(to);
          does({ paid: true });
        }}
      />
    ),
  };
  const at = now === null ? STEPS.length : STEPS.indexOf(now);
  return (
    <>
      <div role="status" className="mb-6 empty:hidden">
        {now === null && (
          <Callout tone="success" title="Your payment arrived.">
            Only you and the recipient can read its amount.
          </Callout>
        )}
      </div>
      <ol className="grid gap-4">
        {STEPS.map((step, index) => (
          <WelcomeStep
            key={step}
            number={index + 1}
            title={TITLES[step]}
            state={index < at ? "done" : index === at ? "now" : "later"}
            summary={step === "handle" ? visit.handle : undefined}
            focus={acted}
          >
            {step === now && bodies[step]()}
          </WelcomeStep>
        ))}
      </ol>
      {now === null && !hadKey && (
        <div className="mt-8">
          <ProgramCard to={paidTo} />
        </div>
      )}
      <p className="mt-8 px-4 sm:px-6">
        {visit.enrolled && (
          <Link
            href={`/${network}`}
            className={buttonClass(now === null ? "primary" : "ghost")}
            onNavigate={(event) => {
              event.preventDefault();
              router.push(`/${network}`);
              // The frame was rendered before the account existed, so it has no navigation yet.
              router.refresh();
            }}
          >
            {now === null ? "Go to your dashboard" : "Skip to the dashboard"}
            <ArrowRight size={15} aria-hidden="true" />
          </Link>
        )}
      </p>
    </>
  );
}

/** Has the network's provider check the person's identity. */
function IdentityStep({ onDone }: { onDone: () => void }) {
  const network = useNetwork();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const verify = () =>
    run(async () => {
      const { kyc_status, url } = await api(network).post<IdentityCheck>("/api/kyc/verify");
      if (url !== undefined) return window.location.assign(url);
      if (kyc_status !== "verified" && kyc_status !== "enhanced") {
        throw new HalcyonError("unavailable", "The provider is still checking. Come back to this page later.");
      }
      onDone();
    });
  return (
    <>
      <StepText>
        {network === "test"
          ? "On the test network a sandbox responds immediately and asks nothing about you."
          : "The provider checks who you are. The service keeps only the result."}
      </StepText>
      {error && <ErrorCallout isUnknown={isUnknown}>{error}</ErrorCallout>}
      <div>
        <Button tone="primary" busy={busy} onClick={verify}>
          Verify identity
        </Button>
      </div>
    </>
  );
}

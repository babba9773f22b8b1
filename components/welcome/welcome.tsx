"use client";

import { ArrowRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { EnrollStep } from "./enroll-step";
import { HandleStep } from "./handle-step";
import { IdentityStep } from "./identity-step";
import { KeyStep } from "./key-step";
import { AvailableStep, MoneyStep } from "./money-step";
import { PaymentStep } from "./payment-step";
import { type FirstVisit, STEPS, stepNow, type WelcomeStepName } from "./progress";
import { WelcomeStep } from "./step";

const TITLES: Record<WelcomeStepName, string> = {
  handle: "Choose a handle",
  enroll: "Enroll your account",
  identity: "Verify your identity",
  money: "Add money",
  available: "Make money available",
  key: "Create an API key",
  payment: "Make a payment",
};

/** The first visit, step by step, from a wallet to a first payment. */
export function Welcome({
  known,
  local,
  address,
  payee,
}: {
  /** As the server knew it when the page loaded. */
  known: FirstVisit;
  local: boolean;
  address: string;
  /** Whom the first payment goes to; left out where the person chooses. */
  payee?: string;
}) {
  const router = useRouter();
  const network = useNetwork();
  // From here on only this page's steps count: a later server render must not undo a step.
  const [visit, setVisit] = useState(known);
  const [apiKey, setApiKey] = useState<string>();
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
    money: () => <MoneyStep local={local} address={address} onDone={() => does({ funded: true })} />,
    available: () => <AvailableStep onDone={() => does({ allocated: true })} />,
    key: () => (
      <KeyStep
        onDone={(key) => {
          setApiKey(key);
          does({ keyed: true });
        }}
        onSkip={() => does({ keyed: true })}
      />
    ),
    payment: () => (
      <PaymentStep
        apiKey={apiKey}
        to={payee}
        onPaid={() => does({ paid: true })}
        onNewKey={() => does({ keyed: false })}
      />
    ),
  };
  const at = now === null ? STEPS.length : STEPS.indexOf(now);
  return (
    <>
      <div role="status" className="mb-6 empty:hidden">
        {now === null && (
          <Callout tone="success" title="Your payment arrived.">
            Only you and the recipient can read its amount. Everything else is in your dashboard.
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

import { signInHref } from "@/components/api/sign-in-again";
import { Button, buttonClass } from "@/components/ui/button";

/** The buttons of a dialog whose session has ended: no other would lead anywhere. */
export function SignInFooter({ onClose }: { onClose: () => void }) {
  return (
    <>
      <Button onClick={onClose}>Close</Button>
      <a href={signInHref()} className={buttonClass("primary")}>
        Sign in
      </a>
    </>
  );
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_AVAILABLE, EMPTY_NOTE, FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// spend, spendPublic (who may: Authority.t.sol)
/// ├── signals: old, new, note or amount, policy, terms, encrypted, ctx
/// ├── an agent's signer and a limited account's payment key up to its last second; mode 1 only for an agent not ended
/// ├── mode 3 and above, mode 2 with a day, a day at or above 2^32: refused
/// ├── invariant 18: the day's first and last second, a deadline beyond it
/// ├── policy commitment zero: refused in modes 0 and 1
/// ├── a note twice, an id twice: refused
/// └── recipient and commitments as in transfer and release
contract SpendTest is LedgerTest {
    uint256 private constant DAY_START = uint256(TODAY) * 1 days;

    function test_TheVerifierGetsTheStatementInItsOrder() public {
        ILedger.SpendParams memory p = _spendParams(1);
        bytes32 hash = _hash(p);
        uint256 policy = ledger.policyCommitmentOf(agent, address(usdg));
        bytes memory call_ = abi.encodeWithSignature(
            "verifyProof(uint256[2],uint256[2][2],uint256[2],uint256[7])",
            proof.a,
            proof.b,
            proof.c,
            [
                EMPTY_AVAILABLE,
                p.newAvailable,
                p.note,
                policy,
                4 * uint256(TODAY),
                p.encryptedAmount,
                uint256(_digest(hash)) % FIELD_ORDER
            ]
        );
        vm.expectCall(verifier, call_);
        vm.expectEmit();
        emit ILedger.Transferred(
            agent, bob, address(usdg), EMPTY_AVAILABLE, p.newAvailable, p.note, _copy("to bob"), _copy("to alice")
        );
        vm.expectEmit();
        emit ILedger.Limited(agent, address(usdg), p.newAvailable, 4 * uint256(TODAY), p.encryptedAmount);
        ledger.spend(p, noPath, proof, _sign(AGENT_KEY, hash));
        vm.assertEq(_old(agent), p.newAvailable);
        _assertStatus(bob, p.note, ILedger.NoteStatus.Open);
    }

    function test_TheVerifierGetsThePublicStatementInItsOrder() public {
        _deposit(alice, 100);
        ILedger.SpendPublicParams memory p = _spendPublicParams(1);
        p.mode = 1;
        bytes32 hash = _hash(p);
        uint256 terms = 1 + 4 * uint256(TODAY);
        bytes memory call_ = abi.encodeWithSignature(
            "verifyProof(uint256[2],uint256[2][2],uint256[2],uint256[6])",
            proof.a,
            proof.b,
            proof.c,
            [
                EMPTY_AVAILABLE,
                p.newAvailable,
                5,
                ledger.policyCommitmentOf(agent, address(usdg)),
                terms,
                uint256(_digest(hash)) % FIELD_ORDER
            ]
        );
        vm.expectCall(verifier, call_);
        vm.expectEmit();
        emit ILedger.Released(
            agent, carol, address(usdg), EMPTY_AVAILABLE, p.newAvailable, 5, p.paymentId, _copy("to alice")
        );
        vm.expectEmit();
        emit ILedger.Limited(agent, address(usdg), p.newAvailable, terms, 0);
        ledger.spendPublic(p, noPath, proof, _sign(PAYMENT_KEY, hash));
        vm.assertEq(usdg.balanceOf(carol), 5);
        vm.assertTrue(ledger.paymentIdUsed(agent, p.paymentId));
    }

    function test_InMode2TheTermsAreTheModeAlone() public {
        _setCommitment(0);
        ILedger.SpendParams memory p = _spendParams(1);
        (p.mode, p.day) = (2, 0);
        vm.expectEmit();
        emit ILedger.Transferred(
            agent, bob, address(usdg), EMPTY_AVAILABLE, p.newAvailable, p.note, _copy("to bob"), _copy("to alice")
        );
        vm.expectEmit();
        emit ILedger.Limited(agent, address(usdg), p.newAvailable, 2, p.encryptedAmount);
        vm.prank(alice);
        ledger.spend(p, noPath, proof, "");
    }

    function test_RevertWhen_ThereIsNoPolicyForTheAsset() public {
        _setCommitment(0);
        bytes memory reason = abi.encodeWithSelector(ILedger.NoPolicy.selector, agent, address(usdg));
        ILedger.SpendParams memory p = _spendParams(1);
        _refuse(AGENT_KEY, p, reason);
        p.mode = 1;
        _refuse(PAYMENT_KEY, p, reason);
    }

    function test_AnAgentsSignerPaysUpToItsLastSecond() public {
        _setAgentSigner(agent, stranger, NOW + 10);
        vm.warp(NOW + 10);
        _pay(STRANGER_KEY, _spendParams(1));
        vm.warp(NOW + 11);
        ILedger.SpendParams memory p = _spendParams(10);
        _refuse(STRANGER_KEY, p, abi.encodeWithSelector(ILedger.NotAuthorized.selector, agent, stranger));
        p.mode = 1;
        _refuse(PAYMENT_KEY, p, abi.encodeWithSelector(ILedger.AgentEnded.selector, agent));
        (p.mode, p.day) = (2, 0);
        _pay(ALICE_KEY, p);
    }

    function test_AnEndedAgentPaysByItsOwnersWalletAlone() public {
        _setAgentSigner(agent, address(0), NO_END);
        ILedger.SpendParams memory p = _spendParams(1);
        _refuse(AGENT_KEY, p, abi.encodeWithSelector(ILedger.NotAuthorized.selector, agent, agent));
        p.mode = 1;
        _refuse(PAYMENT_KEY, p, abi.encodeWithSelector(ILedger.AgentEnded.selector, agent));
        _refuse(ALICE_KEY, p, abi.encodeWithSelector(ILedger.AgentEnded.selector, agent));
        (p.mode, p.day) = (2, 0);
        _pay(ALICE_KEY, p);
    }

    function test_AMalformedSignatureIsNotTheKeyThatAnEndedAgentLacks() public {
        _setAgentSigner(agent, address(0), NO_END);
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.spend(_spendParams(1), noPath, proof, hex"01");
    }

    function test_ALimitedAccountsPaymentKeyPaysUpToItsLastSecond() public {
        _ruleAlice();
        ILedger.SpendParams memory p = _spendParams(1);
        vm.warp(UNTIL);
        (p.account, p.day, p.deadline) = (alice, uint32(UNTIL / 1 days), UNTIL);
        _pay(PAYMENT_KEY, p);
        vm.warp(UNTIL + 1);
        p.deadline = UNTIL + 1;
        _refuse(PAYMENT_KEY, p, abi.encodeWithSelector(ILedger.NotAuthorized.selector, alice, paymentKey));
    }

    function test_RevertWhen_AnAccountsPaymentKeyApprovesForTheAccount() public {
        _ruleAlice();
        ILedger.SpendParams memory p = _spendParams(1);
        (p.account, p.mode) = (alice, 1);
        _refuse(PAYMENT_KEY, p, abi.encodeWithSelector(ILedger.NotAuthorized.selector, alice, paymentKey));
    }

    /// An agent whose address is also someone's payment key signs for each by its own struct.
    function test_AnAgentThatIsAlsoAPaymentKeySignsForTheOneThatIsNamed() public {
        vm.prank(bob);
        ledger.setPaymentKey(bob, agent, UNTIL, SOON, "");
        _setPolicy(bob, _policyParams(bob, true));
        ILedger.SpendParams memory p = _spendParams(1);
        p.to = alice;
        bytes memory signature = _sign(AGENT_KEY, _hash(p));
        p.account = bob;
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.spend(p, noPath, proof, signature);
        _pay(AGENT_KEY, p);
    }

    function test_RevertWhen_TheModeOrDayIsReplaced() public {
        ILedger.SpendParams memory p = _spendParams(1);
        bytes memory signature = _sign(AGENT_KEY, _hash(p));
        p.day = TODAY - 1;
        vm.warp(DAY_START + 1);
        (p.deadline) = uint64(DAY_START + 2);
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.spend(p, noPath, proof, signature);
        p = _spendParams(1);
        p.mode = 1;
        signature = _sign(PAYMENT_KEY, _hash(p));
        (p.mode, p.day) = (2, 0);
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.spend(p, noPath, proof, signature);
    }

    function testFuzz_RevertWhen_TheModeIsAbove2(uint8 mode) public {
        vm.assume(mode > 2);
        ILedger.SpendParams memory p = _spendParams(1);
        p.mode = mode;
        bytes memory reason = abi.encodeWithSelector(ILedger.InvalidTerms.selector, mode, TODAY);
        _refuse(ALICE_KEY, p, reason);
        ILedger.SpendPublicParams memory q = _spendPublicParams(1);
        q.mode = mode;
        bytes memory signature = _sign(ALICE_KEY, _hash(q));
        vm.expectRevert(reason);
        ledger.spendPublic(q, noPath, proof, signature);
    }

    function testFuzz_RevertWhen_Mode2HasADay(uint32 day) public {
        vm.assume(day != 0);
        ILedger.SpendParams memory p = _spendParams(1);
        (p.mode, p.day) = (2, day);
        _refuse(ALICE_KEY, p, abi.encodeWithSelector(ILedger.InvalidTerms.selector, 2, day));
    }

    /// A day that is not below 2^32 would be another mode and day in the terms.
    function test_RevertWhen_TheDayDoesNotFit() public {
        ILedger.SpendParams memory p = _spendParams(1);
        bytes memory data = abi.encodeCall(ILedger.spend, (p, noPath, proof, _sign(AGENT_KEY, _hash(p))));
        (bool control,) = address(ledger).call(data);
        vm.assertTrue(control);
        p = _spendParams(10);
        data = abi.encodeCall(ILedger.spend, (p, noPath, proof, _sign(AGENT_KEY, _hash(p))));
        // Find the day's word.
        uint256 at = _find(data, TODAY);
        data[at + 27] = 0x01;
        (bool success, bytes memory reason) = address(ledger).call(data);
        vm.assertFalse(success, "a day of 33 bits was taken");
        vm.assertEq(reason.length, 0);
    }

    function test_Invariant18_TheFirstSecondOfADayIsFourteenHoursEarly() public {
        _refuseAt(DAY_START - 14 hours - 1, TODAY);
        _takeAt(DAY_START - 14 hours, TODAY, DAY_START - 14 hours);
    }

    function test_Invariant18_TheLastSecondOfADayIsTwelveHoursLate() public {
        uint256 end = DAY_START + 1 days + 12 hours;
        _refuseAt(end, TODAY);
        _takeAt(end - 1, TODAY, end - 1);
    }

    function test_Invariant18_TheDeadlineLiesInsideTheDay() public {
        uint256 end = DAY_START + 1 days + 12 hours;
        vm.warp(end - 10);
        ILedger.SpendParams memory p = _spendParams(1);
        p.deadline = uint64(end);
        bytes memory reason = abi.encodeWithSelector(ILedger.WrongDay.selector, TODAY, end, end - 10);
        _refuse(AGENT_KEY, p, reason);
        p.mode = 1;
        _refuse(PAYMENT_KEY, p, reason);
        _takeAt(end - 10, TODAY, end - 1);
    }

    function testFuzz_Invariant18_ADayCountsExactlyWhileItIsThatDaySomewhere(uint32 day, uint64 offset) public {
        day = 1000 + day % 40_000;
        uint256 start = uint256(day) * 1 days - 14 hours - 1 days;
        uint256 time = start + offset % 4 days;
        bool open = time + 14 hours >= uint256(day) * 1 days && time < (uint256(day) + 1) * 1 days + 12 hours;
        if (open) _takeAt(time, day, time);
        else _refuseAt(time, day);
    }

    function test_RevertWhen_TheAccountIsNotLimited() public {
        ILedger.SpendParams memory p = _spendParams(1);
        p.account = alice;
        _refuse(PAYMENT_KEY, p, abi.encodeWithSelector(ILedger.NotLimited.selector, alice));
        p.account = stranger;
        _refuse(STRANGER_KEY, p, abi.encodeWithSelector(ILedger.NotLimited.selector, stranger));
    }

    function test_RevertWhen_ALimitedAccountTransfersOrReleases() public {
        ILedger.TransferParams memory p = _transferParams(1);
        ILedger.ReleaseParams memory q = _releaseParams(1);
        (p.account, q.account) = (agent, agent);
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AccountIsLimited.selector, agent));
        ledger.transfer(p, proof, "");
        vm.expectRevert(abi.encodeWithSelector(ILedger.AccountIsLimited.selector, agent));
        ledger.release(q, proof, "");
    }

    function test_RevertWhen_TheRecipientIsNotEnrolledOrThePayer() public {
        ILedger.SpendParams memory p = _spendParams(1);
        p.to = stranger;
        _refuse(AGENT_KEY, p, abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
        p.to = agent;
        _refuse(AGENT_KEY, p, abi.encodeWithSelector(ILedger.PaymentToSelf.selector, agent));
    }

    function test_RevertWhen_TheRecipientCannotBePaidPublicly() public {
        ILedger.SpendPublicParams memory p = _spendPublicParams(1);
        p.to = address(ledger);
        _refusePublic(p, abi.encodeWithSelector(ILedger.InvalidRecipient.selector, p.to));
        p.to = address(0);
        _refusePublic(p, abi.encodeWithSelector(ILedger.InvalidRecipient.selector, p.to));
        (p.to, p.amount) = (carol, 0);
        _refusePublic(p, abi.encodeWithSelector(ILedger.ZeroAmount.selector));
    }

    function test_RevertWhen_AWordMayNotBeStored() public {
        uint256[3] memory commitments = [0, EMPTY_AVAILABLE, FIELD_ORDER];
        for (uint256 i = 0; i < 3; ++i) {
            ILedger.SpendParams memory p = _spendParams(1);
            p.newAvailable = commitments[i];
            _refuse(AGENT_KEY, p, abi.encodeWithSelector(ILedger.InvalidAvailableBalance.selector, commitments[i]));
            p = _spendParams(1);
            p.note = i == 1 ? EMPTY_NOTE : commitments[i];
            _refuse(AGENT_KEY, p, abi.encodeWithSelector(ILedger.InvalidNote.selector, p.note));
            ILedger.SpendPublicParams memory q = _spendPublicParams(1);
            q.newAvailable = commitments[i];
            _refusePublic(q, abi.encodeWithSelector(ILedger.InvalidAvailableBalance.selector, commitments[i]));
        }
    }

    function test_RevertWhen_TheEncryptedAmountIsNotBelowTheFieldOrder() public {
        ILedger.SpendParams memory p = _spendParams(1);
        p.encryptedAmount = FIELD_ORDER;
        _refuse(AGENT_KEY, p, abi.encodeWithSelector(ILedger.InvalidEncryptedAmount.selector, FIELD_ORDER));
        p.encryptedAmount = FIELD_ORDER - 1;
        _pay(AGENT_KEY, p);
    }

    function test_RevertWhen_AnIdIsUsedTwice() public {
        _deposit(alice, 100);
        ILedger.SpendPublicParams memory p = _spendPublicParams(1);
        ledger.spendPublic(p, noPath, proof, _sign(AGENT_KEY, _hash(p)));
        ILedger.SpendPublicParams memory q = _spendPublicParams(10);
        q.paymentId = p.paymentId;
        _refusePublic(q, abi.encodeWithSelector(ILedger.PaymentIdUsed.selector, agent, p.paymentId));
    }

    function test_RevertWhen_TheDeadlineHasPassedOrIsTooFar() public {
        ILedger.SpendParams memory p = _spendParams(1);
        p.deadline = NOW - 1;
        _refuse(AGENT_KEY, p, abi.encodeWithSelector(ILedger.BadDeadline.selector, p.deadline, NOW));
        p.deadline = NOW + 24 hours + 1;
        _refuse(AGENT_KEY, p, abi.encodeWithSelector(ILedger.BadDeadline.selector, p.deadline, NOW));
    }

    function _setCommitment(uint256 commitment) private {
        ILedger.PolicyParams memory p = _policyParams(agent, true);
        p.commitments[0] = commitment;
        _setPolicy(alice, p);
    }

    function _pay(uint256 key, ILedger.SpendParams memory p) private {
        bytes memory signature = _sign(key, _hash(p));
        vm.prank(relayer);
        ledger.spend(p, noPath, proof, signature);
    }

    function _takeAt(uint256 time, uint32 day, uint256 deadline) private {
        vm.warp(time);
        ILedger.SpendParams memory p = _spendParams(1);
        (p.day, p.deadline) = (day, uint64(deadline));
        _pay(AGENT_KEY, p);
    }

    function _refuseAt(uint256 time, uint32 day) private {
        vm.warp(time);
        ILedger.SpendParams memory p = _spendParams(1);
        (p.day, p.deadline) = (day, uint64(time));
        _refuse(AGENT_KEY, p, abi.encodeWithSelector(ILedger.WrongDay.selector, day, time, time));
    }

    function _refuse(uint256 key, ILedger.SpendParams memory p, bytes memory reason) private {
        uint256 before = _old(p.account);
        bytes memory signature = _sign(key, _hash(p));
        vm.expectRevert(reason);
        ledger.spend(p, noPath, proof, signature);
        vm.assertEq(_old(p.account), before);
    }

    function _refusePublic(ILedger.SpendPublicParams memory p, bytes memory reason) private {
        bytes memory signature = _sign(AGENT_KEY, _hash(p));
        vm.expectRevert(reason);
        ledger.spendPublic(p, noPath, proof, signature);
    }

    /// Where a word stands in calldata, from behind its selector.
    function _find(bytes memory data, uint256 word) private pure returns (uint256 at) {
        for (at = 4; at + 32 <= data.length; at += 32) {
            uint256 here;
            assembly {
                here := mload(add(add(data, 0x20), at))
            }
            if (here == word) return at;
        }
        revert("the word is not there");
    }
}

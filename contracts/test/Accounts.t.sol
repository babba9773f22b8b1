// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {Structs} from "./helpers/Structs.sol";
import {vm} from "./helpers/Vm.sol";

/// enroll: by the wallet only, once, with a viewing key, before the deadline, a payment key for 366 days at most
/// enrollAgent: by the owner's wallet or payment key and the agent, over no record, under an enrolled owner that is
/// no agent
/// setPaymentKey: by the wallet only, with the nonce, never for an agent, for 366 days at most
contract AccountsTest is LedgerTest {
    uint256 private constant NEW_KEY = 0x4e3;
    address private fresh = vm.addr(NEW_KEY);

    function test_EnrollKeepsTheRecord() public {
        ILedger.EnrollParams memory p = _enrollParams();
        bytes memory signature = _signEnroll(NEW_KEY, p);
        vm.expectEmit();
        emit ILedger.Enrolled(fresh, p.viewingKey, paymentKey, UNTIL, "encrypted account key");
        vm.prank(relayer);
        ledger.enroll(p, signature);
        ILedger.Account memory expected;
        (expected.viewingKey, expected.signer, expected.until) = (p.viewingKey, paymentKey, UNTIL);
        expected.enrolledBlock = 1000;
        vm.assertEq(keccak256(abi.encode(ledger.account(fresh))), keccak256(abi.encode(expected)));
    }

    function test_RevertWhen_SomebodyElseEnrollsAnAddress() public {
        ILedger.EnrollParams memory p = _enrollParams();
        bytes memory signature = _signEnroll(STRANGER_KEY, p);
        _expectNotAuthorized(fresh, stranger);
        ledger.enroll(p, signature);
    }

    function test_RevertWhen_TheEncryptedAccountKeyWasReplaced() public {
        ILedger.EnrollParams memory p = _enrollParams();
        bytes memory signature = _signEnroll(NEW_KEY, p);
        p.encryptedAccountKey = "another account key";
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.enroll(p, signature);
    }

    function test_RevertWhen_EnrollingTwice() public {
        ILedger.EnrollParams memory p = _enrollParams();
        (p.account) = alice;
        _refuseEnrolment(p, abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, alice));
        p.account = agent;
        _refuseEnrolment(p, abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, agent));
    }

    function test_RevertWhen_TheViewingKeyIsZero() public {
        ILedger.EnrollParams memory p = _enrollParams();
        p.viewingKey = 0;
        _refuseEnrolment(p, abi.encodeWithSelector(ILedger.ZeroViewingKey.selector, fresh));
    }

    function test_RevertWhen_TheEnrolmentsDeadlineHasPassed() public {
        vm.warp(SOON + 1);
        _refuseEnrolment(
            _enrollParams(), abi.encodeWithSelector(ILedger.BadDeadline.selector, SOON, SOON + 1)
        );
    }

    function test_APaymentKeyCountsFor366DaysAtMost() public {
        uint64 latest = NOW + 366 days;
        ILedger.EnrollParams memory p = _enrollParams();
        p.paymentKeyUntil = latest + 1;
        _refuseEnrolment(p, abi.encodeWithSelector(ILedger.PaymentKeyTooLong.selector, latest + 1, latest));
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.PaymentKeyTooLong.selector, latest + 1, latest));
        ledger.setPaymentKey(alice, paymentKey, latest + 1, SOON, "");
        vm.expectRevert(abi.encodeWithSelector(ILedger.PaymentKeyTooLong.selector, type(uint64).max, latest));
        ledger.setPaymentKey(alice, paymentKey, type(uint64).max, SOON, "");
        ledger.setPaymentKey(alice, paymentKey, latest, SOON, "");
        vm.assertEq(ledger.account(alice).until, latest);
    }

    function test_AnAgentIsLimitedAndSignsForItself() public {
        bytes32 hash = Structs.enrollAgent(fresh, alice, SOON);
        vm.expectEmit();
        emit ILedger.AgentEnrolled(fresh, alice);
        ledger.enrollAgent(fresh, alice, SOON, _sign(PAYMENT_KEY, hash), _sign(NEW_KEY, hash));
        ILedger.Account memory expected;
        (expected.viewingKey, expected.owner) = (ledger.account(alice).viewingKey, alice);
        (expected.signer, expected.until, expected.limited, expected.enrolledBlock) = (fresh, NO_END, true, 1000);
        vm.assertEq(keccak256(abi.encode(ledger.account(fresh))), keccak256(abi.encode(expected)));
    }

    function test_RevertWhen_AnAgentDidNotSign() public {
        bytes memory owners = _sign(ALICE_KEY, Structs.enrollAgent(fresh, alice, SOON));
        vm.prank(relayer);
        _expectNotAuthorized(fresh, relayer);
        ledger.enrollAgent(fresh, alice, SOON, owners, "");
        _expectNotAuthorized(fresh, alice);
        ledger.enrollAgent(fresh, alice, SOON, owners, owners);
    }

    function test_RevertWhen_TheAgentSignedForAnotherOwner() public {
        bytes memory owners = _sign(BOB_KEY, Structs.enrollAgent(fresh, bob, SOON));
        bytes memory agents = _sign(NEW_KEY, Structs.enrollAgent(fresh, alice, SOON));
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.enrollAgent(fresh, bob, SOON, owners, agents);
    }

    function test_RevertWhen_TheOwnerDidNotSign() public {
        bytes memory agents = _sign(NEW_KEY, Structs.enrollAgent(fresh, alice, SOON));
        _expectNotAuthorized(alice, fresh);
        ledger.enrollAgent(fresh, alice, SOON, agents, agents);
    }

    function test_RevertWhen_AnAgentCannotBeEnrolled() public {
        _refuseAgent(AGENT_KEY, ALICE_KEY, abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, agent));
        _refuseAgent(AGENT_KEY, BOB_KEY, abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, agent));
        _refuseAgent(BOB_KEY, ALICE_KEY, abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, bob));
        _refuseAgent(ALICE_KEY, ALICE_KEY, abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, alice));
        _refuseAgent(NEW_KEY, AGENT_KEY, abi.encodeWithSelector(ILedger.InvalidOwner.selector, agent));
        _refuseAgent(NEW_KEY, STRANGER_KEY, abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
    }

    function test_TheWalletNamesAPaymentKey() public {
        bytes memory signature = _sign(ALICE_KEY, Structs.setPaymentKey(alice, carol, NOW + 1, 0, SOON));
        vm.expectEmit();
        emit ILedger.PaymentKeySet(alice, carol, NOW + 1);
        ledger.setPaymentKey(alice, carol, NOW + 1, SOON, signature);
        ILedger.Account memory record = ledger.account(alice);
        vm.assertEq(record.signer, carol);
        vm.assertEq(record.until, NOW + 1);
        vm.assertEq(record.nonce, 1);
    }

    function test_ReplacingAPaymentKeyKeepsFlagsAndVersion() public {
        _ruleAlice();
        vm.prank(alice);
        ledger.setPaymentKey(alice, carol, NOW + 1, SOON, "");
        ILedger.Account memory record = ledger.account(alice);
        vm.assertTrue(record.guarded && record.limited, "a flag was lost");
        vm.assertEq(record.policyVersion, 1);
    }

    function test_RevertWhen_AnOldSignatureIsUsed() public {
        bytes memory paymentKeys = _sign(ALICE_KEY, Structs.setPaymentKey(alice, carol, UNTIL, 0, SOON));
        bytes memory guards = _sign(ALICE_KEY, Structs.setGuarded(alice, true, 0, SOON));
        ledger.setPaymentKey(alice, carol, UNTIL, SOON, paymentKeys);
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.setPaymentKey(alice, carol, UNTIL, SOON, paymentKeys);
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.setGuarded(alice, true, SOON, guards);
    }

    function test_RevertWhen_AnAgentGetsAPaymentKey() public {
        bytes memory reason = abi.encodeWithSelector(ILedger.AgentHasNoPaymentKey.selector, agent);
        vm.prank(agent);
        vm.expectRevert(reason);
        ledger.setPaymentKey(agent, carol, UNTIL, SOON, "");
        vm.prank(alice);
        vm.expectRevert(reason);
        ledger.setPaymentKey(agent, carol, UNTIL, SOON, "");
    }

    function test_RevertWhen_AnAddressWithoutARecordNamesAPaymentKey() public {
        vm.startPrank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
        ledger.setPaymentKey(stranger, carol, UNTIL, SOON, "");
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
        ledger.setGuarded(stranger, true, SOON, "");
    }

    function _enrollParams() private view returns (ILedger.EnrollParams memory) {
        return ILedger.EnrollParams(fresh, keccak256("viewing key"), paymentKey, UNTIL, "encrypted account key", SOON);
    }

    function _refuseEnrolment(ILedger.EnrollParams memory p, bytes memory reason) private {
        vm.prank(p.account);
        vm.expectRevert(reason);
        ledger.enroll(p, "");
    }

    function _refuseAgent(uint256 agentKey, uint256 ownerKey, bytes memory reason) private {
        bytes32 hash = Structs.enrollAgent(vm.addr(agentKey), vm.addr(ownerKey), SOON);
        (bytes memory owners, bytes memory agents) = (_sign(ownerKey, hash), _sign(agentKey, hash));
        vm.expectRevert(reason);
        ledger.enrollAgent(vm.addr(agentKey), vm.addr(ownerKey), SOON, owners, agents);
    }
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {StructHashes} from "../src/StructHashes.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// enroll: by the wallet only, once, with a viewing key, before the deadline
/// enrollAgent: by the owner's wallet or spender and the agent, over no record, under an enrolled owner that is no agent
/// setSpender: by the wallet only, with the nonce, never for an agent
contract AccountsTest is LedgerTest {
    uint256 private constant NEW_KEY = 0x4e3;
    address private fresh = vm.addr(NEW_KEY);

    function test_EnrollKeepsTheRecord() public {
        ILedger.EnrollParams memory p = _enrollParams();
        bytes memory signature = _signEnroll(NEW_KEY, p);
        vm.expectEmit();
        emit ILedger.Enrolled(fresh, p.viewingKey, spender, UNTIL, "sealed root");
        vm.prank(relayer);
        ledger.enroll(p, signature);
        (bytes32 viewingKey, address spender_, uint64 until, address owner, uint64 nonce, uint64 enrolledBlock) =
            ledger.account(fresh);
        vm.assertEq(viewingKey, p.viewingKey);
        vm.assertEq(spender_, spender);
        vm.assertEq(until, UNTIL);
        vm.assertEq(owner, address(0));
        vm.assertEq(nonce, 0);
        vm.assertEq(enrolledBlock, 1000);
    }

    function test_TheAddressEnrollsAsSender() public {
        vm.prank(fresh);
        ledger.enroll(_enrollParams(), "");
    }

    function test_RevertWhen_SomebodyElseEnrollsAnAddress() public {
        ILedger.EnrollParams memory p = _enrollParams();
        bytes memory signature = _signEnroll(STRANGER_KEY, p);
        _expectNotAuthorized(fresh, stranger);
        ledger.enroll(p, signature);
    }

    function test_RevertWhen_TheSealedRootWasReplaced() public {
        ILedger.EnrollParams memory p = _enrollParams();
        bytes memory signature = _signEnroll(NEW_KEY, p);
        p.sealedRoot = "another root";
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.enroll(p, signature);
    }

    function test_RevertWhen_EnrollingTwice() public {
        ILedger.EnrollParams memory p = _enrollParams();
        p.account = alice;
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, alice));
        ledger.enroll(p, "");
    }

    function test_RevertWhen_AnAgentEnrollsAsAccount() public {
        ILedger.EnrollParams memory p = _enrollParams();
        p.account = agent;
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, agent));
        ledger.enroll(p, "");
    }

    function test_RevertWhen_TheViewingKeyIsZero() public {
        ILedger.EnrollParams memory p = _enrollParams();
        p.viewingKey = 0;
        vm.prank(fresh);
        vm.expectRevert(abi.encodeWithSelector(ILedger.ZeroViewingKey.selector, fresh));
        ledger.enroll(p, "");
    }

    function test_RevertWhen_TheEnrolmentsDeadlineHasPassed() public {
        ILedger.EnrollParams memory p = _enrollParams();
        bytes memory signature = _signEnroll(NEW_KEY, p);
        vm.warp(SOON + 1);
        vm.expectRevert(abi.encodeWithSelector(ILedger.BadDeadline.selector, SOON, SOON + 1));
        ledger.enroll(p, signature);
    }

    function test_AnAgentSharesItsOwnersViewingKey() public {
        bytes32 hash = StructHashes.enrollAgent(fresh, alice, SOON);
        vm.expectEmit();
        emit ILedger.AgentEnrolled(fresh, alice);
        ledger.enrollAgent(fresh, alice, SOON, _sign(SPENDER_KEY, hash), _sign(NEW_KEY, hash));
        (bytes32 ownersKey,,,,,) = ledger.account(alice);
        (bytes32 viewingKey, address spender_,, address owner,,) = ledger.account(fresh);
        vm.assertEq(viewingKey, ownersKey);
        vm.assertEq(owner, alice);
        vm.assertEq(spender_, address(0));
    }

    function test_RevertWhen_AnAgentDidNotSign() public {
        bytes memory owners = _sign(ALICE_KEY, StructHashes.enrollAgent(fresh, alice, SOON));
        vm.prank(relayer);
        _expectNotAuthorized(fresh, relayer);
        ledger.enrollAgent(fresh, alice, SOON, owners, "");
    }

    function test_RevertWhen_TheOwnerSignsForTheAgent() public {
        bytes memory owners = _sign(ALICE_KEY, StructHashes.enrollAgent(fresh, alice, SOON));
        _expectNotAuthorized(fresh, alice);
        ledger.enrollAgent(fresh, alice, SOON, owners, owners);
    }

    function test_RevertWhen_TheAgentSignedForAnotherOwner() public {
        bytes memory owners = _sign(BOB_KEY, StructHashes.enrollAgent(fresh, bob, SOON));
        bytes memory agents = _sign(NEW_KEY, StructHashes.enrollAgent(fresh, alice, SOON));
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.enrollAgent(fresh, bob, SOON, owners, agents);
    }

    function test_RevertWhen_TheOwnerDidNotSign() public {
        bytes memory agents = _sign(NEW_KEY, StructHashes.enrollAgent(fresh, alice, SOON));
        _expectNotAuthorized(alice, fresh);
        ledger.enrollAgent(fresh, alice, SOON, agents, agents);
    }

    function test_RevertWhen_AnAgentIsEnrolledTwice() public {
        _refuseAgent(AGENT_KEY, ALICE_KEY, abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, agent));
    }

    function test_RevertWhen_AnAgentIsTakenOverByAnotherOwner() public {
        _refuseAgent(AGENT_KEY, BOB_KEY, abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, agent));
    }

    function test_RevertWhen_AnAccountIsEnrolledAsAgent() public {
        _refuseAgent(BOB_KEY, ALICE_KEY, abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, bob));
    }

    function test_RevertWhen_AnAccountIsItsOwnAgent() public {
        _refuseAgent(ALICE_KEY, ALICE_KEY, abi.encodeWithSelector(ILedger.AlreadyEnrolled.selector, alice));
    }

    function test_RevertWhen_TheOwnerIsAnAgent() public {
        _refuseAgent(NEW_KEY, AGENT_KEY, abi.encodeWithSelector(ILedger.InvalidOwner.selector, agent));
    }

    function test_RevertWhen_TheOwnerIsNotEnrolled() public {
        _refuseAgent(NEW_KEY, STRANGER_KEY, abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
    }

    function test_RevertWhen_TheOwnersSpenderHasExpired() public {
        vm.warp(UNTIL + 1);
        bytes32 hash = StructHashes.enrollAgent(fresh, alice, UNTIL + 1);
        (bytes memory owners, bytes memory agents) = (_sign(SPENDER_KEY, hash), _sign(NEW_KEY, hash));
        _expectNotAuthorized(alice, spender);
        ledger.enrollAgent(fresh, alice, UNTIL + 1, owners, agents);
    }

    function test_TheWalletNamesASpender() public {
        bytes memory signature = _sign(ALICE_KEY, StructHashes.setSpender(alice, carol, NOW + 1, 0, SOON));
        vm.expectEmit();
        emit ILedger.SpenderSet(alice, carol, NOW + 1);
        ledger.setSpender(alice, carol, NOW + 1, SOON, signature);
        (, address spender_, uint64 until,, uint64 nonce,) = ledger.account(alice);
        vm.assertEq(spender_, carol);
        vm.assertEq(until, NOW + 1);
        vm.assertEq(nonce, 1);
    }

    function test_RevertWhen_AnOldSignatureNamesASpender() public {
        bytes memory signature = _sign(ALICE_KEY, StructHashes.setSpender(alice, carol, UNTIL, 0, SOON));
        ledger.setSpender(alice, carol, UNTIL, SOON, signature);
        vm.prank(alice);
        ledger.setSpender(alice, address(0), 0, SOON, "");
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.setSpender(alice, carol, UNTIL, SOON, signature);
    }

    function test_RevertWhen_TheSpenderNamesASpender() public {
        vm.prank(spender);
        _expectNotAuthorized(alice, spender);
        ledger.setSpender(alice, carol, UNTIL, SOON, "");
    }

    function test_RevertWhen_AnAgentNamesASpender() public {
        vm.prank(agent);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AgentHasNoSpender.selector, agent));
        ledger.setSpender(agent, carol, UNTIL, SOON, "");
    }

    function test_RevertWhen_TheOwnerNamesASpenderOfItsAgent() public {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AgentHasNoSpender.selector, agent));
        ledger.setSpender(agent, carol, UNTIL, SOON, "");
    }

    function test_RevertWhen_AnAddressWithoutARecordNamesASpender() public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
        ledger.setSpender(stranger, carol, UNTIL, SOON, "");
    }

    function _enrollParams() private view returns (ILedger.EnrollParams memory) {
        return ILedger.EnrollParams(fresh, keccak256("viewing key"), spender, UNTIL, "sealed root", SOON);
    }

    function _refuseAgent(uint256 agentKey, uint256 ownerKey, bytes memory reason) private {
        bytes32 hash = StructHashes.enrollAgent(vm.addr(agentKey), vm.addr(ownerKey), SOON);
        (bytes memory owners, bytes memory agents) = (_sign(ownerKey, hash), _sign(agentKey, hash));
        vm.expectRevert(reason);
        ledger.enrollAgent(vm.addr(agentKey), vm.addr(ownerKey), SOON, owners, agents);
    }
}

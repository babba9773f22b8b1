// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// What makes no note happens once for each id (invariant 13)
/// ├── release, spendPublic, fund: an id twice refused, also across them, for one account
/// └── the id of another account blocks nothing: an agent's not its owner's, a stranger's no one's
contract PaymentIdsTest is LedgerTest {
    bytes32 private constant ID = keccak256("id");

    function setUp() public override {
        super.setUp();
        _deposit(alice, 100);
    }

    function test_AnIdIsUsedOnceByAnAccount() public {
        for (uint256 first = 0; first < 3; ++first) {
            for (uint256 second = 0; second < 3; ++second) {
                uint256 start = vm.snapshotState();
                _expectCall(_payment(first, 10), true);
                // The agent has ids of its own; release and fund use alice's.
                _expectCall(_payment(second, 20), (first == 1) != (second == 1));
                vm.revertToState(start);
            }
        }
    }

    function test_Invariant13_TheIdOfAnotherAccountBlocksNothing() public {
        _enroll(0xca401, address(0));
        ILedger.ReleaseParams memory p = _releaseParams(1);
        (p.account, p.paymentId) = (bob, ID);
        vm.prank(bob);
        ledger.release(p, proof, "");
        p = _releaseParams(3);
        (p.account, p.paymentId) = (vm.addr(0xca401), ID);
        vm.prank(p.account);
        ledger.release(p, proof, "");
        for (uint256 kind = 0; kind < 3; ++kind) {
            uint256 start = vm.snapshotState();
            _expectCall(_payment(kind, 10), true);
            vm.revertToState(start);
        }
    }

    function testFuzz_Invariant13_IdsOfOthersNeverBlock(bytes32 id, uint8 who) public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        (p.account, p.paymentId) = (bob, id);
        vm.prank(bob);
        ledger.release(p, proof, "");
        vm.assertTrue(ledger.paymentIdUsed(bob, id));
        vm.assertFalse(ledger.paymentIdUsed(who % 2 == 0 ? alice : agent, id), "another's id counts");
    }

    /// Both directions use the owner's ids, which the agent's key cannot use up.
    function test_FundingBackUsesTheOwnersIds() public {
        ILedger.FundParams memory p = _fundParams(1);
        (p.from, p.to, p.paymentId) = (agent, alice, ID);
        ledger.fund(p, proof, _sign(PAYMENT_KEY, _hash(p)));
        vm.assertTrue(ledger.paymentIdUsed(alice, ID));
        vm.assertFalse(ledger.paymentIdUsed(agent, ID), "the agent's id was used");
    }

    function test_RevertWhen_TheIdOrDirectionIsReplaced() public {
        ILedger.FundParams memory p = _fundParams(1);
        bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
        p.paymentId = ID;
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.fund(p, proof, signature);
        p = _fundParams(1);
        (p.from, p.to) = (p.to, p.from);
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.fund(p, proof, signature);
        ILedger.ReleaseParams memory q = _releaseParams(1);
        signature = _sign(PAYMENT_KEY, _hash(q));
        q.paymentId = ID;
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.release(q, proof, signature);
        ILedger.SpendPublicParams memory r = _spendPublicParams(1);
        signature = _sign(AGENT_KEY, _hash(r));
        r.paymentId = ID;
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.spendPublic(r, noPath, proof, signature);
    }

    function _payment(uint256 kind, uint256 seed) private view returns (bytes memory) {
        if (kind == 0) {
            ILedger.ReleaseParams memory p = _releaseParams(seed);
            p.paymentId = ID;
            return abi.encodeCall(ILedger.release, (p, proof, _sign(PAYMENT_KEY, _hash(p))));
        }
        if (kind == 1) {
            ILedger.SpendPublicParams memory p = _spendPublicParams(seed);
            p.paymentId = ID;
            return abi.encodeCall(ILedger.spendPublic, (p, noPath, proof, _sign(AGENT_KEY, _hash(p))));
        }
        ILedger.FundParams memory f = _fundParams(seed);
        f.paymentId = ID;
        return abi.encodeCall(ILedger.fund, (f, proof, _sign(PAYMENT_KEY, _hash(f))));
    }

    function _expectCall(bytes memory data, bool expected) private {
        (bool success, bytes memory reason) = address(ledger).call(data);
        vm.assertEq(success, expected, "an id blocks what it should not, or not what it should");
        if (!expected) vm.assertEq(bytes32(bytes4(reason)), bytes32(ILedger.PaymentIdUsed.selector));
    }
}

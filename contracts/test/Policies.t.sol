// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {Vm, vm} from "./helpers/Vm.sol";

/// setPolicy, setGuarded, setAgentSigner (who may: Authority.t.sol)
/// ├── limited is never stored without guarded
/// ├── the version rises: what was signed before is void, moves to the available balance and funding stay valid,
/// nothing is replayed ├── an asset that is not named keeps its commitment; zero ends an asset
/// ├── the signer of agents: several at once, an end, zero
/// └── refused: lists of two lengths, a commitment at or above r, no record, agents of others, an end at or above 2^40
contract PoliciesTest is LedgerTest {
    uint256 private constant OTHER_AGENT_KEY = 0x07e4;

    function test_APolicyIsStoredAndAnnounced() public {
        ILedger.PolicyParams memory p = _policyParams(agent, true);
        (p.recipientsRoot, p.documentHash, p.commitments[0]) = (keccak256("root"), keccak256("new document"), 7);
        bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
        vm.expectEmit();
        emit ILedger.PolicySet(agent, 2, true, p.recipientsRoot, p.documentHash, p.assets, p.commitments);
        vm.prank(relayer);
        ledger.setPolicy(p, signature);
        (uint64 version, bytes32 root, bytes32 document) = ledger.policyOf(agent);
        vm.assertEq(version, 2);
        vm.assertEq(root, p.recipientsRoot);
        vm.assertEq(document, p.documentHash);
        vm.assertEq(ledger.policyCommitmentOf(agent, address(usdg)), 7);
    }

    function test_AnAssetThatIsNotNamedKeepsItsWord() public {
        uint256 commitment = ledger.policyCommitmentOf(agent, address(usdg));
        ILedger.PolicyParams memory p = _policyParams(agent, true);
        (p.assets[0], p.commitments[0]) = (address(0), 9);
        _setPolicy(alice, p);
        vm.assertEq(ledger.policyCommitmentOf(agent, address(usdg)), commitment);
        vm.assertEq(ledger.policyCommitmentOf(agent, address(0)), 9);
        (p.assets[0], p.commitments[0]) = (address(usdg), 0);
        _setPolicy(alice, p);
        vm.assertEq(ledger.policyCommitmentOf(agent, address(usdg)), 0);
    }

    function test_Invariant12_LimitedImpliesGuarded() public {
        ILedger.PolicyParams memory p = _policyParams(alice, true);
        _setPolicy(alice, p);
        _assertFlags(alice, true, true);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.LimitedIsGuarded.selector, alice));
        ledger.setGuarded(alice, false, SOON, "");
    }

    /// Readers count a nonce for each Guarded, so nothing but `setGuarded` may emit it.
    function test_RulingAnAccountUsesNoNonceAndSaysNothingOfTheGuard() public {
        uint64 nonce = ledger.account(alice).nonce;
        vm.recordLogs();
        _setPolicy(alice, _policyParams(alice, true));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs.length, 1);
        vm.assertEq(logs[0].topics[0], ILedger.PolicySet.selector);
        vm.assertEq(ledger.account(alice).nonce, nonce);
    }

    function test_Invariant12_LeavingKeepsTheGuardUntilTheWalletClearsIt() public {
        _ruleAlice();
        _setPolicy(alice, _policyParams(alice, false));
        _assertFlags(alice, true, false);
        _setGuarded(alice, false);
        _assertFlags(alice, false, false);
    }

    /// Any sequence of flags: no step stores limited without guarded.
    function testFuzz_Invariant12_NoSequenceStoresLimitedWithoutGuarded(uint8[16] calldata steps) public {
        for (uint256 i = 0; i < steps.length; ++i) {
            bytes memory data = steps[i] & 1 == 0
                ? abi.encodeCall(ILedger.setGuarded, (alice, steps[i] & 2 == 0, SOON, ""))
                : abi.encodeCall(ILedger.setPolicy, (_policyParams(alice, steps[i] & 2 == 0), ""));
            vm.prank(alice);
            (bool success,) = address(ledger).call(data);
            ILedger.Account memory record = ledger.account(alice);
            vm.assertTrue(record.guarded || !record.limited, "limited without guarded");
            vm.assertTrue(success || record.limited, "refused without a reason");
        }
    }

    function test_RevertWhen_AnAgentIsMadeUnlimited() public {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AgentIsLimited.selector, agent));
        ledger.setPolicy(_policyParams(agent, false), "");
    }

    function test_RevertWhen_AnAgentIsGuarded() public {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.AgentHasNoGuard.selector, agent));
        ledger.setGuarded(agent, true, SOON, "");
    }

    function test_Invariant12_SetPolicyVoidsEveryPaymentSignedBefore() public {
        _deposit(alice, 100);
        bytes[5] memory calls = _paymentsOfAgent();
        _setPolicy(alice, _policyParams(agent, true));
        _expectAllVoid(calls);
    }

    function test_Invariant12_SetAgentSignerVoidsEveryPaymentSignedBefore() public {
        _deposit(alice, 100);
        bytes[5] memory calls = _paymentsOfAgent();
        // The same signer as before: only the version differs.
        _setAgentSigner(agent, agent, NO_END);
        _expectAllVoid(calls);
    }

    /// The control of the two tests above: each of these payments is good.
    function test_PaymentsSignedOverTheCurrentVersionAreTaken() public {
        _deposit(alice, 100);
        bytes[5] memory calls = _paymentsOfAgent();
        for (uint256 i = 0; i < calls.length; ++i) {
            uint256 start = vm.snapshotState();
            (bool success,) = address(ledger).call(calls[i]);
            vm.assertTrue(success, vm.toString(i));
            vm.revertToState(start);
        }
    }

    function test_Invariant12_TransfersSignedBeforeAnAccountWasLimitedStayVoidAfterwards() public {
        bytes memory signature = _sign(PAYMENT_KEY, _hash(_transferParams(1)));
        _ruleAlice();
        vm.expectRevert(abi.encodeWithSelector(ILedger.AccountIsLimited.selector, alice));
        ledger.transfer(_transferParams(1), proof, signature);
        _setPolicy(alice, _policyParams(alice, false));
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.transfer(_transferParams(1), proof, signature);
    }

    function test_Invariant12_NeitherIsReplayed() public {
        ILedger.PolicyParams memory p = _policyParams(agent, true);
        bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
        ledger.setPolicy(p, signature);
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.setPolicy(p, signature);
        ILedger.AgentSignerParams memory q = _agentSignerParams(agent, carol, NO_END);
        signature = _sign(ALICE_KEY, _hash(q));
        ledger.setAgentSigner(q, signature);
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.setAgentSigner(q, signature);
    }

    function test_Invariant12_NeitherVoidsAnMakeAvailableOrFunding() public {
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.account = agent;
        bytes memory makingAvailable = _sign(ALICE_KEY, _hash(p));
        _setPolicy(alice, _policyParams(agent, true));
        _setAgentSigner(agent, carol, NO_END);
        ledger.makeAvailable(p, proof, makingAvailable);
        ILedger.FundParams memory f = _fundParams(3);
        bytes memory funding = _sign(ALICE_KEY, _hash(f));
        _setPolicy(alice, _policyParams(agent, true));
        ledger.fund(f, proof, funding);
    }

    function test_APolicySignedBeforeTheGuardIsRefusedAfterIt() public {
        ILedger.PolicyParams memory p = _policyParams(agent, true);
        bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
        _setGuarded(alice, true);
        _expectNotAuthorized(alice, paymentKey);
        ledger.setPolicy(p, signature);
    }

    /// The payment key can get ahead of the wallet's call again and again, until the wallet replaces it, which it can't
    /// prevent.
    function test_APaymentKeyThatGetsAheadIsEndedByTheWallet() public {
        ILedger.AgentSignerParams memory q = _agentSignerParams(agent, address(0), NO_END);
        bytes memory wallets = _sign(ALICE_KEY, _hash(q));
        ILedger.PolicyParams memory p = _policyParams(agent, true);
        ledger.setPolicy(p, _sign(PAYMENT_KEY, _hash(p)));
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.setAgentSigner(q, wallets);
        vm.prank(alice);
        ledger.setPaymentKey(alice, address(0), 0, SOON, "");
        bytes memory late = _sign(PAYMENT_KEY, _hash(p));
        _expectNotAuthorized(alice, paymentKey);
        ledger.setPolicy(p, late);
        ledger.setAgentSigner(q, _sign(ALICE_KEY, _hash(q)));
        vm.assertEq(ledger.account(agent).signer, address(0));
    }

    function test_SeveralAgentsGetTheirSignersInOneCall() public {
        _enrollAgent(ALICE_KEY, OTHER_AGENT_KEY);
        ILedger.AgentSignerParams memory p = _bothAgents();
        (p.signers[0], p.signers[1], p.until) = (carol, stranger, UNTIL);
        bytes memory signature = _sign(ALICE_KEY, _hash(p));
        vm.expectEmit();
        emit ILedger.AgentSignerSet(agent, carol, UNTIL, 2);
        vm.expectEmit();
        emit ILedger.AgentSignerSet(p.agents[1], stranger, UNTIL, 1);
        ledger.setAgentSigner(p, signature);
        vm.assertEq(ledger.account(agent).signer, carol);
        vm.assertEq(ledger.account(p.agents[1]).until, UNTIL);
    }

    function test_RevertWhen_ThePaymentKeyEndsOneAgentAndNamesAnother() public {
        _enrollAgent(ALICE_KEY, OTHER_AGENT_KEY);
        ILedger.AgentSignerParams memory p = _bothAgents();
        p.signers[1] = carol;
        bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
        _expectNotAuthorized(alice, paymentKey);
        ledger.setAgentSigner(p, signature);
    }

    function test_RevertWhen_OneOfTheAgentsIsAnothers() public {
        _enrollAgent(BOB_KEY, OTHER_AGENT_KEY);
        ILedger.AgentSignerParams memory p = _bothAgents();
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotOwnAgent.selector, alice, p.agents[1]));
        ledger.setAgentSigner(p, "");
    }

    function test_RevertWhen_TheZeroAddressOwnsTheAgent() public {
        ILedger.AgentSignerParams memory p = _agentSignerParams(bob, address(0), NO_END);
        p.owner = address(0);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotOwnAgent.selector, address(0), bob));
        ledger.setAgentSigner(p, hex"01");
    }

    function test_RevertWhen_ListsDifferInLength() public {
        ILedger.AgentSignerParams memory p = _agentSignerParams(agent, carol, NO_END);
        p.signers = new address[](2);
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.LengthMismatch.selector, 1, 2));
        ledger.setAgentSigner(p, "");
        ILedger.PolicyParams memory q = _policyParams(agent, true);
        q.commitments = new uint256[](0);
        vm.expectRevert(abi.encodeWithSelector(ILedger.LengthMismatch.selector, 1, 0));
        ledger.setPolicy(q, "");
    }

    function test_RevertWhen_TheEndDoesNotFit() public {
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.InvalidEnd.selector, 2 ** 40));
        ledger.setAgentSigner(_agentSignerParams(agent, carol, 2 ** 40), "");
        ledger.setAgentSigner(_agentSignerParams(agent, carol, NO_END), "");
    }

    function testFuzz_RevertWhen_AWordIsNotBelowTheFieldOrder(uint256 excess) public {
        vm.assume(excess <= type(uint256).max - FIELD_ORDER);
        ILedger.PolicyParams memory p = _policyParams(agent, true);
        p.commitments[0] = FIELD_ORDER + excess;
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.InvalidPolicyCommitment.selector, p.commitments[0]));
        ledger.setPolicy(p, "");
    }

    function test_RevertWhen_ThereIsNoRecord() public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
        ledger.setPolicy(_policyParams(stranger, true), "");
    }

    function test_RevertWhen_AnAgentSetsItsPolicy() public {
        vm.prank(agent);
        _expectNotAuthorized(alice, agent);
        ledger.setPolicy(_policyParams(agent, true), "");
    }

    function test_RevertWhen_ThePolicyWasReplacedOnItsWay() public {
        ILedger.PolicyParams memory p = _policyParams(agent, true);
        bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
        p.commitments[0] = 1;
        _refusePolicy(p, signature);
        p = _policyParams(agent, true);
        p.assets[0] = address(0);
        _refusePolicy(p, signature);
        p = _policyParams(agent, true);
        p.recipientsRoot = 0;
        _refusePolicy(p, signature);
        p = _policyParams(agent, true);
        p.documentHash = 0;
        _refusePolicy(p, signature);
    }

    function _refusePolicy(ILedger.PolicyParams memory p, bytes memory signature) private {
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.setPolicy(p, signature);
    }

    function _bothAgents() private view returns (ILedger.AgentSignerParams memory p) {
        (p.owner, p.agents, p.signers) = (alice, new address[](2), new address[](2));
        (p.agents[0], p.agents[1]) = (agent, vm.addr(OTHER_AGENT_KEY));
        (p.until, p.deadline) = (NO_END, SOON);
    }

    function _assertFlags(address who, bool guarded, bool limited) private view {
        ILedger.Account memory record = ledger.account(who);
        vm.assertEq(record.guarded, guarded, "guarded");
        vm.assertEq(record.limited, limited, "limited");
    }

    /// One of each kind that a limited account has: modes 0, 1 and 2, public, many.
    function _paymentsOfAgent() private view returns (bytes[5] memory calls) {
        ILedger.SpendParams memory p = _spendParams(1);
        calls[0] = abi.encodeCall(ILedger.spend, (p, noPath, proof, _sign(AGENT_KEY, _hash(p))));
        p.mode = 1;
        calls[1] = abi.encodeCall(ILedger.spend, (p, noPath, proof, _sign(PAYMENT_KEY, _hash(p))));
        (p.mode, p.day) = (2, 0);
        calls[2] = abi.encodeCall(ILedger.spend, (p, noPath, proof, _sign(ALICE_KEY, _hash(p))));
        ILedger.SpendPublicParams memory q = _spendPublicParams(1);
        calls[3] = abi.encodeCall(ILedger.spendPublic, (q, noPath, proof, _sign(AGENT_KEY, _hash(q))));
        ILedger.TransferManyParams memory m = _manyParams(1, 2);
        m.account = agent;
        calls[4] = abi.encodeCall(ILedger.transferMany, (m, proof, _sign(ALICE_KEY, _hash(m))));
    }

    function _expectAllVoid(bytes[5] memory calls) private {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success, bytes memory reason) = address(ledger).call(calls[i]);
            vm.assertFalse(success, vm.toString(i));
            vm.assertEq(bytes32(bytes4(reason)), bytes32(ILedger.NotAuthorized.selector));
        }
    }
}

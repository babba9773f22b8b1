// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_AVAILABLE, FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// fund
/// ├── either way between owner and own agent, by the owner's wallet or payment key
/// ├── refused signer: the agent, a stranger, a sender without signature, an expired payment key
/// ├── refused pair: oneself, two accounts, a stranger's agent, two agents of one owner, an address without a record
/// └── refused commitments, each side: zero, empty, at or above r
contract FundTest is LedgerTest {
    uint256 private constant OTHER_AGENT_KEY = 0x07e4;

    function test_ThePaymentKeyFundsAnAgent() public {
        ILedger.FundParams memory p = _fundParams(1);
        bytes memory signature = _signFund(PAYMENT_KEY, p, EMPTY_AVAILABLE, EMPTY_AVAILABLE);
        vm.expectEmit();
        emit ILedger.Funded(
            alice,
            agent,
            address(usdg),
            EMPTY_AVAILABLE,
            p.fromNewAvailable,
            EMPTY_AVAILABLE,
            p.toNewAvailable,
            p.paymentId,
            p.fromCiphertext,
            p.toCiphertext
        );
        ledger.fund(p, proof, signature);
        vm.assertEq(_old(alice), p.fromNewAvailable);
        vm.assertEq(_old(agent), p.toNewAvailable);
    }

    function test_TheWalletTakesMoneyBackFromItsAgent() public {
        ILedger.FundParams memory p = _fundParams(1);
        (p.from, p.to) = (agent, alice);
        ledger.fund(p, proof, _signFund(ALICE_KEY, p, EMPTY_AVAILABLE, EMPTY_AVAILABLE));
        vm.assertEq(_old(agent), p.fromNewAvailable);
    }

    function test_RevertWhen_TheAgentSigns() public {
        ILedger.FundParams memory p = _fundParams(1);
        (p.from, p.to) = (agent, alice);
        _expectRefusal(AGENT_KEY, p, abi.encodeWithSelector(ILedger.NotAuthorized.selector, alice, agent));
    }

    function test_RevertWhen_AStrangerSigns() public {
        _expectRefusal(
            STRANGER_KEY, _fundParams(1), abi.encodeWithSelector(ILedger.NotAuthorized.selector, alice, stranger)
        );
    }

    function test_RevertWhen_ARelayerHasAProofAndNoSignature() public {
        vm.prank(relayer);
        _expectNotAuthorized(alice, relayer);
        ledger.fund(_fundParams(1), proof, "");
    }

    function test_RevertWhen_ThePaymentKeyHasExpired() public {
        vm.warp(UNTIL + 1);
        ILedger.FundParams memory p = _fundParams(1);
        p.deadline = UNTIL + 1;
        _expectRefusal(PAYMENT_KEY, p, abi.encodeWithSelector(ILedger.NotAuthorized.selector, alice, paymentKey));
    }

    function test_RevertWhen_FundingOneself() public {
        _refusePair(alice, alice, abi.encodeWithSelector(ILedger.PaymentToSelf.selector, alice));
    }

    function test_RevertWhen_AnAgentFundsItself() public {
        _refusePair(agent, agent, abi.encodeWithSelector(ILedger.PaymentToSelf.selector, agent));
    }

    function test_RevertWhen_FillingAStrangersEmptyAvailable() public {
        _refusePair(alice, bob, abi.encodeWithSelector(ILedger.NotOwnAgent.selector, alice, bob));
    }

    function test_RevertWhen_FundingAStrangersAgent() public {
        ILedger.FundParams memory p = _fundParams(1);
        p.from = bob;
        _expectRefusal(BOB_KEY, p, abi.encodeWithSelector(ILedger.NotOwnAgent.selector, bob, agent));
    }

    function test_RevertWhen_TakingFromAStrangersAgent() public {
        ILedger.FundParams memory p = _fundParams(1);
        (p.from, p.to) = (agent, bob);
        _expectRefusal(BOB_KEY, p, abi.encodeWithSelector(ILedger.NotOwnAgent.selector, agent, bob));
    }

    function test_RevertWhen_BothAreAgentsOfOneOwner() public {
        _enrollAgent(ALICE_KEY, OTHER_AGENT_KEY);
        address other = vm.addr(OTHER_AGENT_KEY);
        _refusePair(agent, other, abi.encodeWithSelector(ILedger.NotOwnAgent.selector, agent, other));
    }

    function test_RevertWhen_AnAccountFundsTheZeroAddress() public {
        _refusePair(alice, address(0), abi.encodeWithSelector(ILedger.NotOwnAgent.selector, alice, address(0)));
    }

    function test_RevertWhen_TheZeroAddressFundsAnAccount() public {
        _refusePair(address(0), alice, abi.encodeWithSelector(ILedger.NotOwnAgent.selector, address(0), alice));
    }

    function test_RevertWhen_ANewAvailableIsZero() public {
        _refuseAvailable(0);
    }

    function test_RevertWhen_ANewAvailableIsTheEmptyOne() public {
        _refuseAvailable(EMPTY_AVAILABLE);
    }

    function testFuzz_RevertWhen_ANewAvailableIsNotBelowTheFieldOrder(uint256 excess) public {
        vm.assume(excess <= type(uint256).max - FIELD_ORDER);
        _refuseAvailable(FIELD_ORDER + excess);
    }

    function test_RevertWhen_TheReceiversAvailableHasChanged() public {
        ILedger.FundParams memory p = _fundParams(1);
        bytes memory signature = _signFund(PAYMENT_KEY, p, EMPTY_AVAILABLE, EMPTY_AVAILABLE);
        ILedger.SpendParams memory s = _spendParams(7);
        ledger.spend(s, noPath, proof, _sign(AGENT_KEY, _hash(s)));
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.fund(p, proof, signature);
    }

    function _refuseAvailable(uint256 commitment) private {
        bytes memory reason = abi.encodeWithSelector(ILedger.InvalidAvailableBalance.selector, commitment);
        ILedger.FundParams memory p = _fundParams(1);
        p.fromNewAvailable = commitment;
        _expectRefusal(PAYMENT_KEY, p, reason);
        p = _fundParams(1);
        p.toNewAvailable = commitment;
        _expectRefusal(PAYMENT_KEY, p, reason);
    }

    function _refusePair(address from, address to, bytes memory reason) private {
        ILedger.FundParams memory p = _fundParams(1);
        (p.from, p.to) = (from, to);
        _expectRefusal(ALICE_KEY, p, reason);
    }

    function _expectRefusal(uint256 key, ILedger.FundParams memory p, bytes memory reason) private {
        bytes memory signature = _signFund(key, p, EMPTY_AVAILABLE, EMPTY_AVAILABLE);
        vm.expectRevert(reason);
        ledger.fund(p, proof, signature);
        vm.assertEq(_old(p.from), EMPTY_AVAILABLE);
        vm.assertEq(_old(p.to), EMPTY_AVAILABLE);
    }
}

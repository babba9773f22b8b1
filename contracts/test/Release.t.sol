// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_AVAILABLE, FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// Coins that call the ledger again when they arrive, with a release that would be valid.
contract ReenteringRecipient {
    bytes public again;
    bool public reentered;

    function arm(bytes calldata again_) external {
        again = again_;
    }

    receive() external payable {
        (reentered,) = msg.sender.call(again);
    }
}

contract RefusingRecipient {
    receive() external payable {
        revert("no coins here");
    }
}

/// release
/// ├── pays tokens (by the unit) and coins (1 gwei the unit) to anyone
/// ├── refused signer: stranger, sender without signature (who may: Authority.t.sol)
/// ├── refused: zero amount, to the ledger, to the zero address, asset not listed, available balance commitment zero,
/// empty, at or above r └── refused: re-entrance, a recipient that takes no coins (the available balance stays), a
/// ledger short of tokens
contract ReleaseTest is LedgerTest {
    function test_ReleasesTokens() public {
        _deposit(alice, 10);
        ILedger.ReleaseParams memory p = _releaseParams(1);
        bytes memory signature = _signRelease(PAYMENT_KEY, p, EMPTY_AVAILABLE);
        vm.expectEmit();
        emit ILedger.Released(alice, carol, address(usdg), EMPTY_AVAILABLE, p.newAvailable, 5, p.paymentId, p.payerCiphertext);
        ledger.release(p, proof, signature);
        vm.assertEq(usdg.balanceOf(carol), 5);
        vm.assertEq(usdg.balanceOf(address(ledger)), 5);
        vm.assertEq(_old(alice), p.newAvailable);
    }

    function test_ReleasesCoinsByTheGwei() public {
        _depositCoins();
        ILedger.ReleaseParams memory p = _coins(carol);
        ledger.release(p, proof, _signRelease(PAYMENT_KEY, p, EMPTY_AVAILABLE));
        vm.assertEq(carol.balance, 5 gwei);
    }

    function test_RevertWhen_AStrangerSigns() public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        bytes memory signature = _signRelease(STRANGER_KEY, p, EMPTY_AVAILABLE);
        _expectNotAuthorized(alice, stranger);
        ledger.release(p, proof, signature);
    }

    function test_RevertWhen_ARelayerHasAProofAndNoSignature() public {
        vm.prank(relayer);
        _expectNotAuthorized(alice, relayer);
        ledger.release(_releaseParams(1), proof, "");
    }

    function test_RevertWhen_TheSignatureIsOverAnotherAmount() public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        bytes memory signature = _signRelease(PAYMENT_KEY, p, EMPTY_AVAILABLE);
        p.amount = 6;
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.release(p, proof, signature);
    }

    function test_RevertWhen_TheAmountIsZero() public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        p.amount = 0;
        _expectRefusal(p, abi.encodeWithSelector(ILedger.ZeroAmount.selector));
    }

    function test_RevertWhen_TheAmountIsTwoToThe64() public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        bytes memory data = abi.encodeCall(ILedger.release, (p, proof, _signRelease(PAYMENT_KEY, p, EMPTY_AVAILABLE)));
        // The amount is the sixth field of the struct, which lies behind the selector.
        uint256 position = 0x20 + 4 + 0x20 * 5;
        assembly {
            if iszero(eq(mload(add(data, position)), 5)) { revert(0, 0) }
            mstore(add(data, position), exp(2, 64))
        }
        (bool success, bytes memory reason) = address(ledger).call(data);
        vm.assertFalse(success, "2^64 units were taken");
        vm.assertEq(reason.length, 0);
    }

    function test_RevertWhen_ToTheLedgerItself() public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        p.to = address(ledger);
        _expectRefusal(p, abi.encodeWithSelector(ILedger.InvalidRecipient.selector, address(ledger)));
    }

    function test_RevertWhen_ToTheZeroAddress() public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        p.to = address(0);
        _expectRefusal(p, abi.encodeWithSelector(ILedger.InvalidRecipient.selector, address(0)));
    }

    function test_RevertWhen_TheAssetIsNotListed() public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        p.asset = carol;
        _expectRefusal(p, abi.encodeWithSelector(ILedger.NotListed.selector, carol));
    }

    function test_RevertWhen_TheNewAvailableIsZero() public {
        _refuseAvailable(0);
    }

    function test_RevertWhen_TheNewAvailableIsTheEmptyOne() public {
        _refuseAvailable(EMPTY_AVAILABLE);
    }

    function testFuzz_RevertWhen_TheNewAvailableIsNotBelowTheFieldOrder(uint256 excess) public {
        vm.assume(excess <= type(uint256).max - FIELD_ORDER);
        _refuseAvailable(FIELD_ORDER + excess);
    }

    function test_RevertWhen_TheDeadlineHasPassed() public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        p.deadline = NOW - 1;
        _expectRefusal(p, abi.encodeWithSelector(ILedger.BadDeadline.selector, p.deadline, NOW));
    }

    function test_RevertWhen_TheLedgerIsShortOfTokens() public {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        bytes memory signature = _signRelease(PAYMENT_KEY, p, EMPTY_AVAILABLE);
        vm.expectPartialRevert(bytes4(keccak256("ERC20InsufficientBalance(address,uint256,uint256)")));
        ledger.release(p, proof, signature);
        vm.assertEq(_old(alice), EMPTY_AVAILABLE);
    }

    function test_RevertWhen_TheRecipientTakesNoCoins() public {
        _depositCoins();
        address recipient = address(new RefusingRecipient());
        _expectRefusal(_coins(recipient), abi.encodeWithSelector(ILedger.CoinTransferFailed.selector, recipient, 5 gwei));
        vm.assertEq(ledger.availableOf(alice, address(0)), EMPTY_AVAILABLE);
    }

    function test_ARecipientCannotReenter() public {
        _depositCoins();
        ReenteringRecipient recipient = new ReenteringRecipient();
        ILedger.ReleaseParams memory p = _coins(address(recipient));
        ILedger.ReleaseParams memory again = _coins(address(recipient));
        (again.newAvailable, again.paymentId) = (_commitment(9), bytes32(_commitment(10)));
        recipient.arm(abi.encodeCall(ILedger.release, (again, proof, _signRelease(PAYMENT_KEY, again, p.newAvailable))));
        ledger.release(p, proof, _signRelease(PAYMENT_KEY, p, EMPTY_AVAILABLE));
        vm.assertFalse(recipient.reentered(), "release was entered again");
        vm.assertEq(address(recipient).balance, 5 gwei);
        vm.assertEq(ledger.availableOf(alice, address(0)), p.newAvailable);
    }

    function _depositCoins() private {
        vm.deal(alice, 1 ether);
        vm.prank(alice);
        ledger.deposit{value: 1 ether}(address(0), 1 ether);
    }

    function _coins(address to) private view returns (ILedger.ReleaseParams memory p) {
        p = _releaseParams(1);
        p.asset = address(0);
        p.to = to;
    }

    function _refuseAvailable(uint256 commitment) private {
        ILedger.ReleaseParams memory p = _releaseParams(1);
        p.newAvailable = commitment;
        _expectRefusal(p, abi.encodeWithSelector(ILedger.InvalidAvailableBalance.selector, commitment));
    }

    function _expectRefusal(ILedger.ReleaseParams memory p, bytes memory reason) private {
        bytes memory signature = _signRelease(PAYMENT_KEY, p, EMPTY_AVAILABLE);
        vm.expectRevert(reason);
        ledger.release(p, proof, signature);
        vm.assertEq(_old(alice), EMPTY_AVAILABLE);
    }
}

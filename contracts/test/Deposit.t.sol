// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {TestUSDG} from "../src/tokens/TestUSDG.sol";
import {
    AgreeableToken,
    FalseToken,
    FeeToken,
    FreelyMinted,
    LyingToken,
    ReenteringToken,
    ReleasingToken
} from "./helpers/HostileTokens.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// deposit: tokens, coins; deposited money what arrived; enrolled senders only
/// ├── refused: no record, asset not listed, zero, no whole units, over the limit, 2^64, wrong value sent along
/// └── tokens that say false, lie, take a fee, call back
/// depositWithAuthorization: credits the authorizer alone
/// └── refused: redirected, changed, used twice, expired, by the coin, by a token without EIP-3009
/// listAsset, setDepositLimit: owner only, once, unit for ever; limits bound deposits only
contract DepositTest is LedgerTest {
    function test_DepositsTokens() public {
        vm.expectEmit();
        emit ILedger.Deposited(alice, address(usdg), 7);
        this.deposit(7);
        vm.assertEq(ledger.depositedOf(alice, address(usdg)), 7);
        vm.assertEq(usdg.balanceOf(address(ledger)), 7);
    }

    function deposit(uint64 units) external {
        vm.prank(minter);
        usdg.mint(alice, units);
        vm.startPrank(alice);
        usdg.approve(address(ledger), units);
        ledger.deposit(address(usdg), units);
        vm.stopPrank();
    }

    function testFuzz_DepositsCoinsByTheGwei(uint64 units) public {
        vm.assume(units > 0);
        _depositCoins(uint256(units) * 1 gwei, uint256(units) * 1 gwei);
        vm.assertEq(ledger.depositedOf(alice, address(0)), units);
    }

    function testFuzz_RevertWhen_CoinsAreNoWholeGwei(uint256 amount) public {
        amount %= 1e30;
        vm.assume(amount % 1 gwei != 0);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotWholeUnits.selector, address(0), amount, 1 gwei));
        this.depositCoins(amount, amount);
    }

    function test_RevertWhen_FewerCoinsAreSentThanSaid() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.WrongValue.selector, 1 gwei, 2 gwei));
        this.depositCoins(1 gwei, 2 gwei);
    }

    function test_RevertWhen_CoinsAreSentAlongWithTokens() public {
        vm.deal(alice, 1);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.WrongValue.selector, 1, 0));
        ledger.deposit{value: 1}(address(usdg), 5);
    }

    function test_RevertWhen_TheDepositIsZero() public {
        vm.expectRevert(ILedger.ZeroAmount.selector);
        this.depositCoins(0, 0);
    }

    function test_RevertWhen_TheDepositIsTwoToThe64Units() public {
        uint256 amount = (2 ** 64) * 1 gwei;
        vm.expectRevert(
            abi.encodeWithSelector(ILedger.DepositLimitExceeded.selector, address(0), 2 ** 64, type(uint64).max)
        );
        this.depositCoins(amount, amount);
    }

    function test_RevertWhen_TheDepositedWouldReachTwoToThe64Units() public {
        _deposit(alice, type(uint64).max);
        vm.prank(minter);
        usdg.mint(alice, 1);
        vm.startPrank(alice);
        usdg.approve(address(ledger), 1);
        vm.expectRevert(abi.encodeWithSelector(ILedger.DepositedOverflow.selector, alice, address(usdg)));
        ledger.deposit(address(usdg), 1);
        vm.stopPrank();
    }

    function test_RevertWhen_TheSenderHasNoRecord() public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
        ledger.deposit(address(usdg), 1);
    }

    function test_RevertWhen_TheAssetIsNotListed() public {
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotListed.selector, carol));
        ledger.deposit(carol, 1);
    }

    function test_RevertWhen_TheTokenSaysFalse() public {
        FreelyMinted token = new FalseToken();
        _refuseToken(token, abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token)));
    }

    function test_RevertWhen_TheTokenLies() public {
        _refuseToken(new LyingToken(), abi.encodeWithSelector(ILedger.ZeroAmount.selector));
    }

    function test_RevertWhen_TheTokenReenters() public {
        ReenteringToken token = new ReenteringToken();
        // The inner deposit has the token as sender, so that must be an account for the guard to be what stops it.
        vm.prank(address(token));
        ledger.enroll(ILedger.EnrollParams(address(token), keccak256("x"), address(0), 0, "", SOON), "");
        _refuseToken(token, abi.encodeWithSelector(ILedger.Reentered.selector));
    }

    function test_RevertWhen_TheTokenHasMoneyReleasedMeanwhile() public {
        _refuseToken(new ReleasingToken(false), abi.encodeWithSelector(ILedger.Reentered.selector));
        _refuseToken(new ReleasingToken(true), abi.encodeWithSelector(ILedger.Reentered.selector));
    }

    function test_OnlyWhatArrivesIsCredited() public {
        FeeToken token = new FeeToken();
        _prepareToken(token);
        vm.prank(alice);
        ledger.deposit(address(token), 100);
        vm.assertEq(ledger.depositedOf(alice, address(token)), 90);
        vm.assertEq(token.balanceOf(address(ledger)), 90);
    }

    function test_AnAuthorizationCreditsTheAuthorizerWhoeverCarriesIt() public {
        bytes memory signature = _authorize(1);
        vm.prank(relayer);
        ledger.depositWithAuthorization(address(usdg), alice, 7, 0, SOON, bytes32(uint256(1)), signature);
        vm.assertEq(ledger.depositedOf(alice, address(usdg)), 7);
    }

    function test_RevertWhen_AnAuthorizationIsRedirected() public {
        bytes memory signature = _authorize(1);
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(TestUSDG.InvalidAuthorization.selector, bob));
        ledger.depositWithAuthorization(address(usdg), bob, 7, 0, SOON, bytes32(uint256(1)), signature);
        vm.assertEq(ledger.depositedOf(bob, address(usdg)), 0);
    }

    function test_RevertWhen_AnAuthorizationIsCarriedPastTheLedger() public {
        bytes memory signature = _authorize(1);
        (uint8 v, bytes32 r, bytes32 s) = ECDSA.parse(signature);
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(TestUSDG.CallerNotPayee.selector, relayer, address(ledger)));
        usdg.receiveWithAuthorization(alice, address(ledger), 7, 0, SOON, bytes32(uint256(1)), v, r, s);
    }

    function test_RevertWhen_AnAuthorizationIsUsedTwice() public {
        bytes memory signature = _authorize(1);
        ledger.depositWithAuthorization(address(usdg), alice, 7, 0, SOON, bytes32(uint256(1)), signature);
        vm.expectPartialRevert(TestUSDG.AuthorizationUsedOrCanceled.selector);
        ledger.depositWithAuthorization(address(usdg), alice, 7, 0, SOON, bytes32(uint256(1)), signature);
    }

    function test_RevertWhen_AnAuthorizationHasExpired() public {
        bytes memory signature = _authorize(1);
        vm.warp(SOON);
        vm.expectPartialRevert(TestUSDG.AuthorizationNotValid.selector);
        ledger.depositWithAuthorization(address(usdg), alice, 7, 0, SOON, bytes32(uint256(1)), signature);
    }

    function test_RevertWhen_AnAuthorizationIsForAnotherValue() public {
        bytes memory signature = _authorize(1);
        vm.expectPartialRevert(TestUSDG.InvalidAuthorization.selector);
        ledger.depositWithAuthorization(address(usdg), alice, 6, 0, SOON, bytes32(uint256(1)), signature);
    }

    function test_RevertWhen_TheAuthorizerHasNoRecord() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
        ledger.depositWithAuthorization(address(usdg), stranger, 7, 0, SOON, bytes32(uint256(1)), "");
    }

    function test_RevertWhen_TheTokenKnowsNoAuthorizations() public {
        AgreeableToken token = new AgreeableToken();
        _prepareToken(token);
        bytes memory signature = _authorize(1);
        vm.expectRevert(ILedger.ZeroAmount.selector);
        ledger.depositWithAuthorization(address(token), alice, 7, 0, SOON, bytes32(uint256(1)), signature);
    }

    function test_RevertWhen_CoinsAreAuthorized() public {
        bytes memory signature = _authorize(1);
        vm.expectRevert();
        ledger.depositWithAuthorization(address(0), alice, 7, 0, SOON, bytes32(uint256(1)), signature);
    }

    function test_RevertWhen_AStrangerListsOrLimits() public {
        vm.startPrank(stranger);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        ledger.listAsset(address(ledger), 1, 1);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger));
        ledger.setDepositLimit(address(usdg), 1);
        vm.stopPrank();
    }

    function test_RevertWhen_AnAssetIsListedTwice() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.AlreadyListed.selector, address(usdg)));
        ledger.listAsset(address(usdg), 2, 1);
    }

    function test_RevertWhen_ListingAnAddressWithoutCode() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.InvalidAsset.selector, carol, 1));
        ledger.listAsset(carol, 1, 1);
    }

    function test_RevertWhen_TheUnitIsZero() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.InvalidAsset.selector, address(this), 0));
        ledger.listAsset(address(this), 0, 1);
    }

    function test_RevertWhen_TheUnitIsAboveItsField() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.InvalidAsset.selector, address(this), 2 ** 128));
        ledger.listAsset(address(this), 2 ** 128, 1);
    }

    function test_RevertWhen_TheLimitIsTwoToThe64() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.InvalidLimit.selector, 2 ** 64));
        ledger.setDepositLimit(address(usdg), 2 ** 64);
    }

    function test_RevertWhen_LimitingAnAssetThatIsNotListed() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotListed.selector, carol));
        ledger.setDepositLimit(carol, 1);
    }

    function test_LimitsBoundDepositsAndNothingElse() public {
        _deposit(alice, 100);
        ledger.setDepositLimit(address(usdg), 0);
        vm.prank(minter);
        usdg.mint(alice, 1);
        vm.startPrank(alice);
        usdg.approve(address(ledger), 1);
        vm.expectRevert(abi.encodeWithSelector(ILedger.DepositLimitExceeded.selector, address(usdg), 1, 0));
        ledger.deposit(address(usdg), 1);
        vm.stopPrank();
        ILedger.ReleaseParams memory p = _releaseParams(1);
        ledger.release(p, proof, _signRelease(PAYMENT_KEY, p, _old(alice)));
        vm.assertEq(usdg.balanceOf(carol), 5);
    }

    function depositCoins(uint256 value, uint256 said) external {
        _depositCoins(value, said);
    }

    function _depositCoins(uint256 value, uint256 said) private {
        vm.deal(alice, value);
        vm.prank(alice);
        ledger.deposit{value: value}(address(0), said);
    }

    function _prepareToken(FreelyMinted token) private {
        ledger.listAsset(address(token), 1, type(uint64).max);
        token.mint(alice, 1000);
        vm.prank(alice);
        token.approve(address(ledger), 1000);
    }

    function _refuseToken(FreelyMinted token, bytes memory reason) private {
        _prepareToken(token);
        vm.prank(alice);
        vm.expectRevert(reason);
        ledger.deposit(address(token), 100);
        vm.assertEq(ledger.depositedOf(alice, address(token)), 0);
    }

    /// alice authorizes the ledger to take 7 units before SOON.
    function _authorize(uint256 nonce) private returns (bytes memory) {
        vm.prank(minter);
        usdg.mint(alice, 20);
        bytes32 hash = keccak256(
            abi.encode(
                usdg.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), alice, address(ledger), 7, 0, SOON, bytes32(nonce)
            )
        );
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(ALICE_KEY, keccak256(abi.encodePacked(hex"1901", usdg.DOMAIN_SEPARATOR(), hash)));
        return abi.encodePacked(r, s, v);
    }
}
